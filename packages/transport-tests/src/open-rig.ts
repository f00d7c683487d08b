import type { TransportSettings } from '@modelwire/changes'
import { migrate, modelwire } from '@modelwire/core'
import type { ConnectorChangeLog } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { note } from './serve-notes.ts'
import { startWorker, type Worker, type Heard } from './start-worker.ts'
import { connectors, type DatabaseKind } from './test-databases.ts'

/** The places of changes that a worker has heard of. */
const placesOf = async (log: ConnectorChangeLog, heard: readonly Heard[]): Promise<readonly string[]> =>
  Promise.all(heard.map(async ({ position }) => String(await log.order?.placeOf(position))))

/** What is checked. */
interface HeardChecks {
  readonly log: ConnectorChangeLog
  /** The position before the first change. */
  readonly start: string
  /** Workers that run still, and those that were killed. */
  readonly living: readonly Worker[]
  readonly dead: readonly Worker[]
  /** Workers that were there before the first change. */
  readonly first: readonly Worker[]
}

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

/** The log of an application's data source, beside the application. */
function logOf(app: FastifyInstance): ConnectorChangeLog {
  const { connector } = app.models.dataSources.get('db') ?? {}
  const log = connector?.changeLog?.([app.models.typeOf('Note')])
  if (log === undefined) throw new TypeError('the data source keeps no log')
  return log
}

/** Reads a log to its end. */
async function readAll(log: ConnectorChangeLog, start: string): Promise<readonly string[]> {
  const all: string[] = []
  let position = start
  for (;;) {
    const page = await log.read(position, 1000)
    const last = page.at(-1)
    if (last === undefined) return all
    for (const entry of page) all.push(String(await log.order?.placeOf(entry.position)))
    ;({ position } = last)
  }
}

/**
 * Checks that each worker has heard of each change once, in the order of the log: from its start on, up to the end or to its own one.
 */
async function checkHeard(t: Test, { log, start, living, dead, first }: HeardChecks): Promise<void> {
  const all = await readAll(log, start)
  for (const worker of [...living, ...dead]) {
    const places = await placesOf(log, worker.heard)
    const from = places[0] === undefined ? all.length : all.indexOf(places[0])
    t.strictSame(places, all.slice(from, from + places.length), 'what it heard is a part of the log without gaps')
    if (first.includes(worker) && places.length > 0) t.equal(from, 0, 'it heard of the first change')
    if (living.includes(worker)) t.equal(from + places.length, all.length, 'it heard of the last change')
  }
  t.comment(`${all.length} changes; ${living.length} living workers, ${dead.length} killed`)
}
