import type { ModelRegistry } from '@modelwire/core'
import type { ChangeLog, LoggedChange } from '@modelwire/core/plugin'
import { LogPositionUnknown } from '@modelwire/core/connector'

/** A log of changes that lies in memory, of what one process changes. */
export interface MemoryLog extends ChangeLog {
  /** Forgets all changes: positions before are not known any more. */
  readonly purge: () => void
}

/** Keeps the changes of models of a registry from now on, and makes them known as those of the data source `db`. */
export function keepLog(registry: ModelRegistry, names: readonly string[]): MemoryLog {
  const changes: LoggedChange[] = []
  const listeners = new Set<() => void>()
  let purged = 0
  for (const name of names)
    registry.changes.subscribe(name, (change) => {
      // Listeners hear of models that extend theirs as well, which have listeners of their own here.
      if (change.model !== name) return
      changes.push({ position: String(purged + changes.length + 1), at: new Date(), change })
      for (const listener of listeners) listener()
    })
  const log: MemoryLog = {
    models: new Set(names),
    heard: async () => String(purged + changes.length),
    heardTo: '',
    touch: () => {},
    disguise: (position) => position,
    isBehind: (position, other) => Number(position) > Number(other),
    latest: async () => String(purged + changes.length),
    read: async (after, limit) => {
      const from = Number(after) - purged
      if (!(from >= 0)) throw new LogPositionUnknown('the position is not known')
      return changes.slice(from, from + limit)
    },
    wake: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    onGap: () => () => {},
    purge: () => {
      purged += changes.length
      changes.length = 0
    }
  }
  registry.changeLogs.set('db', log)
  return log
}
