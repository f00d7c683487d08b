import type { ConnectorChangeLog } from '@modelwire/core/plugin'
import type { FastifyBaseLogger } from 'fastify'
import type { ChangeTransport } from './change-transport.ts'
import { type ChangeSource, throughTransport, type TransportParts } from './through-transport.ts'

/** A log, without what says how it is carried. */
interface SourceParts extends Omit<TransportParts, 'transport' | 'source' | 'onState' | 'onTransportState'> {
  readonly source: ConnectorChangeLog
}

/** Where a process takes changes from: the log itself, without a transport, or where its positions have no order. */
export function sourceThrough(
  transport: ChangeTransport | undefined,
  { source, ...parts }: SourceParts,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
): ChangeSource {
  if (transport === undefined) return source
  const { order } = source
  const facts = { dataSource: parts.dataSource, transport: transport.name }
  if (order === undefined) {
    log.warn(facts, 'the changes of the data source cannot be carried by a stream: each process reads its log')
    return source
  }
  const onTransportState = (err: unknown): void =>
    err === undefined
      ? log.info(facts, 'the stream of changes is read again')
      : log.error({ err, ...facts }, 'the stream of changes cannot be used: each process reads the log of the database')
  const onState = (err: unknown): void =>
    err === undefined
      ? log.info(facts, 'this process can fill the stream of changes again')
      : log.warn({ err, ...facts }, 'this process cannot fill the stream of changes')
  return throughTransport({ ...parts, transport, source: { ...source, order }, onState, onTransportState })
}
