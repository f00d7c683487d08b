import type { ConnectorChangeLog, LogOrder, ModelType } from '@modelwire/core/connector'
import type { ChangeTransport } from './change-transport.ts'
import { StreamReader } from './stream-reader.ts'
import { StreamRelay } from './stream-relay.ts'
import type { FastifyBaseLogger } from 'fastify'

/** Whether a transport is usable; reports each change once. */
export class TransportHealth {
  readonly #onState: (error: unknown) => void
  /** The reason why it is unusable, wrapped in an object since anything can be thrown. */
  #failure: { readonly error: unknown } | undefined

  /** @param onState called with an error when it fails, and with undefined when it works again */
  constructor(onState: (error: unknown) => void) {
    this.#onState = onState
  }

  get isDown(): boolean {
    return this.#failure !== undefined
  }

  /** Rejects with the error while the transport cannot be used. */
  async check(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  failed(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onState(error)
  }

  works(): void {
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#onState(undefined)
  }
}

/** The parts of a log, except its transport. */
interface SourceParts extends Omit<TransportParts, 'transport' | 'source' | 'onState' | 'onTransportState'> {
  readonly source: ConnectorChangeLog
}

/** Where a process reads changes from. */
export interface ChangeSource extends Pick<ConnectorChangeLog, 'unprepared' | 'latest' | 'read' | 'listen'> {
  readonly start?: () => void
  readonly stop?: () => Promise<void>
  /** Rejects while changes cannot be read. Absent if a check of the data source suffices. */
  readonly check?: () => Promise<void>
  /** Announces that this process has committed changes; true if this process itself must read the log. */
  readonly announce?: () => boolean
}

/** The dependencies for carrying changes. */
export interface TransportParts {
  readonly transport: ChangeTransport
  readonly dataSource: string
  readonly source: ConnectorChangeLog & { readonly order: LogOrder }
  readonly models: readonly ModelType[]
  /** Milliseconds. */
  readonly pollInterval: number
  /**
   * Called when this process cannot fill the stream for reasons other than the transport, and with undefined when it can
   * again.
   */
  readonly onState: (error: unknown) => void
  /** Called when the stream is unusable, and with undefined when it is usable again. */
  readonly onTransportState: (error: unknown) => void
}

/** Milliseconds during which several commits are announced at once. */
const announcementDelay = 5

/** One run of a source, from its start to its stop. */
interface Run {
  readonly relay: StreamRelay
  readonly reader: StreamReader
  readonly listen: (wake: () => void) => void
  readonly check: () => Promise<void>
  readonly announce: () => void
  readonly stop: () => Promise<void>
}

function openRun({ transport, dataSource, source, onTransportState, ...parts }: TransportParts): Run {
  const stream = transport.open(dataSource)
  const health = new TransportHealth(onTransportState)
  const shared = { source, order: source.order, stream, health }
  const relay = new StreamRelay({ ...shared, ...parts })
  let announcing: NodeJS.Timeout | undefined
  const announceSoon = (): void => {
    announcing ??= setTimeout(() => {
      announcing = undefined
      stream.announce()
    }, announcementDelay).unref()
  }
  return {
    relay,
    reader: new StreamReader({ ...shared, self: () => relay.reader }),
    listen: (appended) => stream.listen({ appended, announced: () => void (relay.isLeading && relay.touch()) }),
    check: () => health.check(),
    announce: () => (relay.isLeading ? relay.touch() : announceSoon()),
    async stop() {
      clearTimeout(announcing)
      await relay.stop()
      await stream.close()
    }
  }
}

/** Makes a source of changes from a stream that one of all processes fills from the database's log. */
export function throughTransport(parts: TransportParts): ChangeSource {
  const { source } = parts
  let run: Run | undefined
  return {
    unprepared: () => source.unprepared(),
    latest: async () => (run === undefined ? source.latest() : run.reader.latest()),
    read: async (after, limit) => (run?.reader ?? source).read(after, limit),
    async listen(wake) {
      run?.listen(wake)
      return async () => undefined
    },
    check: async () => run?.check(),
    announce() {
      if (run?.relay.reader === undefined) return true
      run.announce()
      return false
    },
    start() {
      if (run !== undefined) return
      run = openRun(parts)
      run.relay.start()
    },
    async stop() {
      await run?.stop()
      run = undefined
    }
  }
}

/** Where a process reads changes from: the log itself, if there is no transport or its positions have no order. */
export function sourceThrough(
  transport: ChangeTransport | undefined,
  { source, ...parts }: SourceParts,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
): ChangeSource {
  if (transport === undefined) return source
  const { order } = source
  const facts = { dataSource: parts.dataSource, transport: transport.name }
  if (order === undefined) {
    log.warn(facts, 'the changes of the data source cannot be sent through a stream: each process reads its log')
    return source
  }
  const onTransportState = (err: unknown): void =>
    err === undefined
      ? log.info(facts, 'the stream of changes can be read again')
      : log.error({ err, ...facts }, 'the stream of changes is unavailable: each process reads the log of the database')
  const onState = (err: unknown): void =>
    err === undefined
      ? log.info(facts, 'this process can write to the stream of changes again')
      : log.warn({ err, ...facts }, 'this process cannot write to the stream of changes')
  return throughTransport({ ...parts, transport, source: { ...source, order }, onState, onTransportState })
}
