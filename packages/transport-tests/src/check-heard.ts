import type { ConnectorChangeLog } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Heard, Worker } from './start-worker.ts'

/** The log of an application's data source, beside the application. */
export function logOf(app: FastifyInstance): ConnectorChangeLog {
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

/** The places of changes that a worker has heard of. */
const placesOf = async (log: ConnectorChangeLog, heard: readonly Heard[]): Promise<readonly string[]> =>
  Promise.all(heard.map(async ({ position }) => String(await log.order?.placeOf(position))))

/** What is checked. */
export interface HeardChecks {
  readonly log: ConnectorChangeLog
  /** The position before the first change. */
  readonly start: string
  /** Workers that run still, and those that were killed. */
  readonly living: readonly Worker[]
  readonly dead: readonly Worker[]
  /** Workers that were there before the first change. */
  readonly first: readonly Worker[]
}

/**
 * Checks that each worker has heard of each change once, in the order of the log: from its start on, up to the end or to its own one.
 */
export async function checkHeard(t: Test, { log, start, living, dead, first }: HeardChecks): Promise<void> {
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
