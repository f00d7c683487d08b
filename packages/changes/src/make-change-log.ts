import type { ModelRegistry } from '@modelwire/core'
import type { ChangeLog, LoggedChange } from '@modelwire/core/plugin'
import {
  type ConnectorChangeLog,
  isComposite,
  keyTextOf,
  type LogEntry,
  type ModelType
} from '@modelwire/core/connector'
import { LogFollower } from './log-follower.ts'
import type { ChangeSource } from './transport/through-transport.ts'

/** A log that processes follow from its connector. */
export interface FollowedLog extends ChangeLog {
  readonly source: ConnectorChangeLog
  /** Starts following; the promise resolves after the first read of the log. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The dependencies of a log. */
export interface LogParts {
  readonly registry: ModelRegistry
  readonly source: ConnectorChangeLog
  /** The source of changes of this process: the log itself, or a stream. */
  readonly from: ChangeSource
  /** The models of the data source that log their changes. */
  readonly models: readonly ModelType[]
  /** Milliseconds. */
  readonly pollInterval: number
  readonly onState: (error: unknown) => void
  /** Called if it is found that the server keeps no log. */
  readonly onAbsent: () => void
}

/** The change of an entry, as listeners within one process hear of it. */
function changeOf(type: ModelType, { model, kind, row, position }: LogEntry): LoggedChange['change'] {
  const names = type.idProperty === undefined ? ['id'] : type.keyNames
  const where = Object.fromEntries(names.map((name) => [name, row[name]]))
  const shared = { model, kind, id: isComposite(type) ? keyTextOf(type, row) : row[names[0] ?? 'id'], position }
  return kind === 'remove' ? { ...shared, where, removed: [row] } : { ...shared, after: row }
}

/** Makes the log of a data source. Changes read from it reach the listeners of the registry in every process. */
export function makeChangeLog(parts: LogParts): FollowedLog {
  const { registry, source, from, models, pollInterval, onState, onAbsent } = parts
  const read: ChangeLog['read'] = async (after, limit) =>
    (await from.read(after, limit)).map((entry) => ({
      position: entry.position,
      at: entry.at,
      change: changeOf(registry.typeOf(entry.model), entry)
    }))
  const deliver = ({ change }: LoggedChange): void => registry.changes.deliver(change)
  const follower = new LogFollower({ source: from, read, deliver, onState, onAbsent, pollInterval })
  return {
    models: new Set(models.map(({ name }) => name)),
    source,
    read,
    get heardTo() {
      return follower.position
    },
    heard: () => follower.heard(),
    isBehind: (position, other) => source.isBehind(position, other),
    disguise: (position) => source.disguise(position),
    latest: () => from.latest(),
    wake: (listener) => follower.wake(listener),
    onGap: (listener) => follower.onGap(listener),
    touch: () => {
      if (from.announce?.() !== false) follower.touch()
    },
    start: () => {
      from.start?.()
      follower.start()
      return follower.looked()
    },
    stop: async () => {
      await follower.stop()
      await from.stop?.()
    }
  }
}
