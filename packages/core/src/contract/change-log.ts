import type { Change, ChangeKind } from './change-bus.ts'
import type { Row } from './row.ts'

/** A change that was read from a log. */
export interface LoggedChange {
  /** Opaque, and different for each change: `read` goes on behind it. It does not reveal how many changes there were. */
  readonly position: string
  readonly at: Date
  readonly change: Change
}

/** The durable log of the changes of a data source, which all processes read. */
export interface ChangeLog {
  /** The names of the models whose changes are in it. */
  readonly models: ReadonlySet<string>
  /** The position behind the last change that this process has heard of; empty before it hears of any. */
  readonly heardTo: string
  /** Waits until this process hears of changes; gives `heardTo`. @throws the error that keeps it from doing so */
  heard(): Promise<string>
  /** The position behind the last committed change. */
  latest(): Promise<string>
  /** The same position as another text, by which nobody sees that nothing has changed. */
  disguise(position: string): string
  /** The first one is behind the other. Both were given by this log. */
  isBehind(position: string, other: string): boolean
  /**
   * The changes behind a position; those of a record in the order in which they were committed. Fewer than `limit` do not mean that
   * there are no more: an empty list does.
   * @throws {LogPositionUnknown} the position is malformed, or what follows it was purged
   */
  read(after: string, limit: number): Promise<readonly LoggedChange[]>
  /** Calls `listener` when there may be new changes, until the returned function is called. */
  wake(listener: () => void): () => void
  /** Calls `listener` when changes were purged that this process has not heard of, until the returned function is called. */
  onGap(listener: () => void): () => void
  /** Says that this process has committed changes: they are read soon. */
  touch(): void
}

/** A change as a connector has it in its log. */
export interface LogEntry {
  readonly position: string
  readonly model: string
  readonly kind: ChangeKind
  readonly at: Date
  /** The record after the change; as it was, of a removal. */
  readonly row: Row
}

/** Where a position stands in a log: two whole numbers, of which the first one counts most. */
export type LogPlace = readonly [number, number]

/** How positions of a log are ordered. */
export interface LogOrder {
  /** A text that the log of no other database has; the same in all processes. */
  identity(): Promise<string>
  /** The place of a position; undefined for a text that is none of this log. */
  placeOf(position: string): Promise<LogPlace | undefined>
}

/** The log that a database keeps of its changes. Each method works by itself, in no transaction of the caller. */
export interface ConnectorChangeLog {
  /**
   * False where the server can keep no log: changes are then heard of in the process that makes them. Undefined before the data source
   * is connected. Absent where the database always can.
   */
  isKept?(): boolean | undefined
  /**
   * The names of models whose changes the database does not log yet: it has to be migrated.
   */
  unprepared(): Promise<readonly string[]>
  /** The position behind the last committed change. */
  latest(): Promise<string>
  /** The same position as another text, by which nobody sees that nothing has changed. */
  disguise(position: string): string
  /** The first one is behind the other. Both were given by this log. */
  isBehind(position: string, other: string): boolean
  /** As `read` of `ChangeLog`. @throws {LogPositionUnknown} */
  read(after: string, limit: number): Promise<readonly LogEntry[]>
  /** Removes entries that were made before a time, the oldest first; gives how many there were. */
  purge(before: Date): Promise<number>
  /**
   * Calls `wake` when other processes may have committed changes, until the returned function is called; absent where the database
   * does not say so. It may miss some: the log is looked at once in a while.
   */
  listen?(wake: () => void): Promise<() => Promise<void>>
  /** What a stream needs that carries the changes to other processes. Absent where positions have no order that can be told. */
  readonly order?: LogOrder
}
