import type { LogPlace } from '@modelwire/core/plugin'
import { type ConnectorChangeLog, type LogEntry, type LogOrder, LogPositionUnknown } from '@modelwire/core/connector'
import { comparePlaces, readPlace, writePlace } from '#src/transport/change-transport.ts'

/** A log in memory. Its positions are places that can be read. */
export interface FakeLog extends ConnectorChangeLog {
  readonly order: LogOrder
  readonly entries: readonly LogEntry[]
  /** How often it was read. */
  readonly reads: () => number
  /** Commits changes, a batch of them. */
  readonly commit: (count: number, models?: readonly string[]) => void
  /** Removes all changes; those that read behind them have missed some. */
  readonly purgeAll: () => void
  /** What happens to whatever is asked of it next. */
  error: Error | undefined
}

/** Behind all ids of a batch. */
const behindAll = 2 ** 48 - 1

export function fakeLog(identity = 'log', firstBatch = 1): FakeLog {
  const entries: LogEntry[] = []
  let [batch, reads, purged]: [number, number, LogPlace] = [firstBatch - 1, 0, [0, 0]]
  const placeOf = (position: string): LogPlace => readPlace(position) ?? [-1, -1]
  const log: FakeLog = {
    error: undefined,
    entries,
    reads: () => reads,
    purgeAll() {
      purged = [batch, behindAll]
      entries.length = 0
    },
    commit(count, models = ['Item']) {
      batch += 1
      for (let id = 1; id <= count; id += 1) {
        const [position, model] = [writePlace([batch, id]), models[id % models.length] ?? 'Item']
        entries.push({ position, model, kind: 'update', at: new Date(batch * 1000 + id), row: { id, batch } })
      }
    },
    unprepared: async () => [],
    async latest() {
      if (log.error !== undefined) throw log.error
      return writePlace([batch, behindAll])
    },
    async read(after, limit) {
      reads += 1
      if (log.error !== undefined) throw log.error
      const place = placeOf(after)
      if (place[0] > batch || comparePlaces(place, purged) < 0) throw new LogPositionUnknown('it is not known')
      return entries.filter(({ position }) => comparePlaces(placeOf(position), place) > 0).slice(0, limit)
    },
    purge: async () => 0,
    disguise: (position) => position,
    isBehind: (position, other) => comparePlaces(placeOf(position), placeOf(other)) > 0,
    order: { identity: async () => identity, placeOf: async (position) => readPlace(position) }
  }
  return log
}

/** A log as a process reads it that knows some of the models. */
export function knowing(log: FakeLog, models: readonly string[]): FakeLog {
  const read: ConnectorChangeLog['read'] = async (after, limit) =>
    (await log.read(after, 10_000)).filter(({ model }) => models.includes(model)).slice(0, limit)
  return { ...log, read }
}
