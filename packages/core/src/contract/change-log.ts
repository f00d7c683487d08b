import type { Row } from './row.ts'

/** What happened to records. */
export type ChangeKind = 'create' | 'update' | 'remove'

/** One committed change. `id` is undefined if many records changed at once; `where` then selects them. */
export interface Change {
  readonly model: string
  readonly kind: ChangeKind
  readonly id: unknown
  /** The record afterwards; for an update of many, the changed values. */
  readonly after?: Row | undefined
  readonly where?: unknown
  /** The instance whose `delete` was called. */
  readonly instance?: Row | undefined
  /** The records that a deletion removed. */
  readonly removed?: readonly Row[] | undefined
  /** The position of the change in the log of its data source; undefined if it is not in a log. */
  readonly position?: string
}

/** Called for changes. Errors that it throws are passed to the registry's `onError`. */
export type ChangeListener = (change: Change) => void

/** Carries changes from writers to listeners. The default one works within the process. */
export interface ChangeBus {
  /** Whether there are listeners for changes of `model` itself, or of a model that it extends. */
  hasListeners(model: string): boolean
  /** Publishes a committed change to the listeners; one of a model with a change log reaches them through that. */
  publish(change: Change): void
  /** Calls `listener` for every change of `model` and of models that extend it, until the returned function is called. */
  subscribe(model: string, listener: ChangeListener): () => void
}

/** A change that was read from a log. */
export interface LoggedChange {
  /** Opaque, and different for each change: `read` continues after it. It does not reveal how many changes there were. */
  readonly position: string
  readonly at: Date
  readonly change: Change
}

/** The durable log of the changes of a data source, which all processes read. */
export interface ChangeLog {
  /** The names of the models whose changes it contains. */
  readonly models: ReadonlySet<string>
  /** The position after the last change that this process has received; empty before the first one. */
  readonly heardTo: string
  /**
   * Waits until this process receives changes; returns `heardTo`.
   * @throws the error that keeps it from doing so
   */
  heard(): Promise<string>
  /** The position after the last committed change. */
  latest(): Promise<string>
  /** The same position as a different string, so that it does not reveal that nothing has changed. */
  disguise(position: string): string
  /** Whether the first position is after the other. Both must come from this log. */
  isBehind(position: string, other: string): boolean
  /**
   * The changes after a position; those of a record in the order in which they were committed. Fewer than `limit` do not
   * mean that there are no more: only an empty list does.
   * @throws {LogPositionUnknown} the position is malformed, or what follows it was purged
   */
  read(after: string, limit: number): Promise<readonly LoggedChange[]>
  /** Calls `listener` when there may be new changes, until the returned function is called. */
  wake(listener: () => void): () => void
  /** Calls `listener` when changes were purged before this process received them, until the returned function is called. */
  onGap(listener: () => void): () => void
  /** Notifies the log that this process has committed changes: they are read soon. */
  touch(): void
}

/** A change as stored in a connector's log. */
export interface LogEntry {
  readonly position: string
  readonly model: string
  readonly kind: ChangeKind
  readonly at: Date
  /** The record after the change; for a removal, before it. */
  readonly row: Row
}

/** A position in a log as two integers, of which the first one is more significant. */
export type LogPlace = readonly [number, number]

/** How positions of a log are ordered. */
export interface LogOrder {
  /** A string that identifies the log uniquely among databases; the same in all processes. */
  identity(): Promise<string>
  /** The place of a position; undefined if the string is not a position of this log. */
  placeOf(position: string): Promise<LogPlace | undefined>
}

/** The log that a database keeps of its changes. Each method runs by itself, outside of any transaction of the caller. */
export interface ConnectorChangeLog {
  /**
   * False if the server can keep no log: changes are then only received in the process that makes them. Undefined before
   * the data source is connected. Absent if the database always can.
   */
  isKept?(): boolean | undefined
  /** The names of models whose changes the database does not log yet: it must be migrated. */
  unprepared(): Promise<readonly string[]>
  /** The position after the last committed change. */
  latest(): Promise<string>
  /** The same position as a different string, so that it does not reveal that nothing has changed. */
  disguise(position: string): string
  /** Whether the first position is after the other. Both must come from this log. */
  isBehind(position: string, other: string): boolean
  /**
   * Same as `read` of `ChangeLog`.
   * @throws {LogPositionUnknown}
   */
  read(after: string, limit: number): Promise<readonly LogEntry[]>
  /** Removes entries older than a time, the oldest first; returns their number. */
  purge(before: Date): Promise<number>
  /**
   * Calls `wake` when other processes may have committed changes, until the returned function is called; absent if the
   * database has no notifications. Some may be missed: the log is polled as well.
   */
  listen?(wake: () => void): Promise<() => Promise<void>>
  /**
   * The order of positions, for a stream that carries the changes to other processes. Absent if positions cannot be
   * ordered.
   */
  readonly order?: LogOrder
}
