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

/** Starts workers that take changes of a new database through a transport. */
export async function openRig(
  t: Test,
  kind: DatabaseKind,
  { transport, count }: { readonly transport: TransportSettings; readonly count: number }
): Promise<Rig> {
  const database = await kind.create()
  const task = { database: kind.name, url: database.url, transport }
  const connector = connectors[kind.name]?.(database.url)
  if (connector === undefined) throw new TypeError(`there is no database ${kind.name}`)
  const writer = Fastify()
  t.teardown(async () => {
    await Promise.all(workers.map(async (worker) => worker.kill()))
    await writer.close()
    await database.drop()
  })
  const workers: Worker[] = []
  await writer.register(modelwire, { dataSources: { db: connector }, models: [note] })
  // The other processes do.
  writer.models.readsChangeLogs = true
  await writer.ready()
  await migrate(writer.models)
  const log = logOf(writer)
  const start = await log.latest()
  workers.push(...(await Promise.all(Array.from({ length: count }, async () => startWorker(t, task)))))
  const [first, dead]: [readonly Worker[], Worker[]] = [[...workers], []]
  const readsBefore = new Map<Worker, number>()
  const findRelay = async (): Promise<Worker> => {
    const reads = await Promise.all(
      workers.map(async (worker) => {
        const [before, now] = [readsBefore.get(worker) ?? 0, await worker.countReads()]
        readsBefore.set(worker, now)
        return { worker, reads: now - before }
      })
    )
    const [most] = reads.toSorted((a, b) => b.reads - a.reads)
    if (most === undefined) throw new TypeError('there are no workers')
    return most.worker
  }
  return {
    writer,
    log,
    workers,
    findRelay,
    async replace(worker) {
      await worker.kill()
      dead.push(...workers.splice(workers.indexOf(worker), 1))
      workers.push(await startWorker(t, task))
    },
    async check() {
      const last = await writer.models.get('Note').create({ title: 'last' })
      const heardLast = (worker: Worker): boolean => worker.heard.at(-1)?.id === last['id']
      await until(
        () => workers.every(heardLast),
        () => `all to hear of the last change: ${workers.map(({ heard }) => heard.length).join(', ')}`,
        60_000
      )
      await checkHeard(t, { log, start, living: workers, dead, first })
    }
  }
}
