import type { Change } from './change-bus.ts'
import type { ModelType } from './model-type.ts'

/** A change that was read from a log. */
export interface LoggedChange {
  /** Opaque text that orders nothing by itself: hand it back to `read` to go on behind this change. */
  readonly position: string
  readonly at: Date
  readonly change: Change
}

/** The durable log of a data source's changes. */
export interface ChangeLog {
  /** Models whose changes are in it. */
  readonly models: ReadonlySet<ModelType>
  /** The position behind the last committed change. */
  latest(): Promise<string>
  /**
   * Changes behind a position, in commit order per record.
   * @throws {LogPositionUnknown} the position is malformed, or what follows it was purged
   */
  read(after: string, limit: number): Promise<readonly LoggedChange[]>
  /** Calls `listener` when there may be new changes, until the returned function is called. */
  wake(listener: () => void): () => void
}
