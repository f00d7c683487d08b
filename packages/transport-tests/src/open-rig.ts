import type { TransportSettings } from '@modelwire/changes'
import { migrate, modelwire } from '@modelwire/core'
import type { ConnectorChangeLog } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { checkHeard, logOf } from './check-heard.ts'
import { note } from './serve-notes.ts'
import { startWorker, type Worker } from './start-worker.ts'
import { connectors, type DatabaseKind } from './test-databases.ts'

/** Several processes on one database. */
export interface Rig {
  /** Writes, and does not take part in the transport. */
  readonly writer: FastifyInstance
  readonly log: ConnectorChangeLog
  readonly workers: Worker[]
  /** The worker that has read the database's log most since this was asked last. */
  readonly findRelay: () => Promise<Worker>
  /** Kills a worker, and starts another one in its place. */
  readonly replace: (worker: Worker) => Promise<void>
  /** Waits until all that run have heard of everything, and checks what each has heard. */
  readonly check: () => Promise<void>
}

/** Opens the application that writes. */
async function openWriter(
  t: Test,
  kind: DatabaseKind
): Promise<{ readonly writer: FastifyInstance; readonly url: string }> {
  const { url, drop } = await kind.create()
  const connector = connectors[kind.name]?.(url)
  if (connector === undefined) throw new TypeError(`there is no database ${kind.name}`)
  const writer = Fastify()
  t.teardown(async () => {
    await writer.close()
    await drop()
  })
  await writer.register(modelwire, { dataSources: { db: connector }, models: [note] })
  // The other processes do.
  writer.models.readsChangeLogs = true
  await writer.ready()
  await migrate(writer.models)
  return { writer, url }
}

/** Makes the function that finds the worker which reads the log most. */
function relayFinder(workers: readonly Worker[]): Rig['findRelay'] {
  const readsBefore = new Map<Worker, number>()
  const readsSince = async (worker: Worker): Promise<number> => {
    const [before, now] = [readsBefore.get(worker) ?? 0, await worker.countReads()]
    readsBefore.set(worker, now)
    return now - before
  }
  return async () => {
    const reads = await Promise.all(workers.map(async (worker) => ({ worker, reads: await readsSince(worker) })))
    const [most] = reads.toSorted((a, b) => b.reads - a.reads)
    if (most === undefined) throw new TypeError('there are no workers')
    return most.worker
  }
}

/** Resolves when all workers have heard of a last change. */
async function untilAllHeard({ writer, workers }: Pick<Rig, 'writer' | 'workers'>): Promise<void> {
  const last = await writer.models.get('Note').create({ title: 'last' })
  const heardLast = (worker: Worker): boolean => worker.heard.at(-1)?.id === last['id']
  await until(
    () => workers.every(heardLast),
    () => `all to hear of the last change: ${workers.map(({ heard }) => heard.length).join(', ')}`,
    60_000
  )
}

/** Starts workers that take changes of a new database through a transport. */
export async function openRig(
  t: Test,
  kind: DatabaseKind,
  { transport, count }: { readonly transport: TransportSettings; readonly count: number }
): Promise<Rig> {
  const { writer, url } = await openWriter(t, kind)
  const log = logOf(writer)
  const start = await log.latest()
  const begin = async (): Promise<Worker> => startWorker(t, { database: kind.name, url, transport })
  const workers = await Promise.all(Array.from({ length: count }, begin))
  const [first, dead]: [readonly Worker[], Worker[]] = [[...workers], []]
  return {
    writer,
    log,
    workers,
    findRelay: relayFinder(workers),
    async replace(worker) {
      await worker.kill()
      dead.push(...workers.splice(workers.indexOf(worker), 1))
      workers.push(await begin())
    },
    async check() {
      await untilAllHeard({ writer, workers })
      await checkHeard(t, { log, start, living: workers, dead, first })
    }
  }
}
