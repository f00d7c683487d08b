/** A statement that has ended. */
export interface StatementReport {
  /** What it does, one of a fixed list of the connector: `select`, `insert`, …; `other` where the list has no word for it. */
  readonly verb: string
  /** When it began, on the clock of `performance.now()`. */
  readonly start: number
  /** How long it took, in milliseconds. */
  readonly duration: number
  /** The driver's error of one that failed: its message may hold values. */
  readonly error?: unknown
}

/** Called after every statement, in the asynchronous context of its caller. */
export type StatementListener = (report: StatementReport) => void

/** The connections of a pool at a moment. */
export interface PoolState {
  /** Those that are open, in use or not. */
  readonly open: number
  /** Those of them that no caller uses. */
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
}

/** What a connector can tell of its work, for metrics and traces. Nothing is measured before `listen` is called. */
export interface ConnectorActivity {
  /**
   * Calls `listener` after every statement from now on. Called at most once, and before `connect` where possible: some drivers
   * have to know it before they open connections.
   */
  listen(listener: StatementListener): void
  /** The pools that are open; absent where the connector has none. */
  pools?(): readonly PoolState[]
}
