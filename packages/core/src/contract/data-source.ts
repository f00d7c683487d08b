import type { Connector } from './connector.ts'
import type { MethodSpec } from '../definition/method-table.ts'

/** The kind of an application's part: health responses group the parts by kind, then by name. */
export type HealthKind = 'dataSources' | 'sharedState' | 'changeTransports'

/** Checks whether a dependency of the server is usable. */
export interface HealthCheck {
  readonly kind: HealthKind
  /** Unique among those of the same kind. */
  readonly name: string
  /** Rejects unless it is usable. */
  readonly check: () => Promise<void>
}

/** A function that application code calls on a model or a record, which it receives as `this`. */
export type ModelFunction = (this: unknown, ...args: unknown[]) => unknown

/** A method that a connector adds to the models that are attached to it. */
export interface ConnectorMethod {
  readonly run: ModelFunction
  /**
   * `run` returns a promise and takes no callback: applications whose code uses callbacks may then pass one
   * (`offerMethod`).
   */
  readonly givesPromise?: boolean
  /** How clients call it, declared like remote methods. Absent: only code can. */
  readonly remote?: MethodSpec
}

/** Methods by name. Names of instance methods start with `prototype.`. */
export type ConnectorMethods = Readonly<Record<string, ConnectorMethod>>

/** A statement that has ended. */
export interface StatementReport {
  /** The verb, from a fixed list of the connector: `select`, `insert`, …; `other` for anything else. */
  readonly verb: string
  /** Its start time, on the clock of `performance.now()`. */
  readonly start: number
  /** Its duration in milliseconds. */
  readonly duration: number
  /** The driver's error if it failed: its message may contain values. */
  readonly error?: unknown
}

/** Called after every statement, in the asynchronous context of its caller. */
export type StatementListener = (report: StatementReport) => void

/** The current state of a pool's connections. */
export interface PoolState {
  /** Number of open connections, in use or idle. */
  readonly open: number
  /** Number of idle connections. */
  readonly idle: number
  /** Number of callers that wait for a connection. */
  readonly waiting: number
}

/** A connector's reports about its work, for metrics and traces. Nothing is measured before `listen` is called. */
export interface ConnectorActivity {
  /**
   * Calls `listener` after every statement from now on. Called at most once, and before `connect` if possible: some drivers
   * must know it before they open connections.
   */
  listen(listener: StatementListener): void
  /** The open pools; absent if the connector has none. */
  pools?(): readonly PoolState[]
}

/** Receives connection events outside of calls. */
export interface ConnectionWatcher {
  /** An error that no call rejects with. */
  readonly error: (error: unknown) => void
  /** The connection was lost. */
  readonly lost: () => void
  /** A lost connection was restored. */
  readonly restored: () => void
}

/** The state of a data source's connection. */
export type ConnectionState = 'closed' | 'opening' | 'open' | 'failed'

/** Called when a state is reached. */
export type ConnectionListener = (connection: Connection) => void

/** Called with an error outside of calls, such as a connection closed by the database. */
export type ConnectionErrorListener = (error: unknown) => void

/** The single connection of a data source, which is opened once until it is closed. */
export interface Connection {
  readonly state: ConnectionState
  /** The reason why opening or closing failed; undefined in every state but `failed`. */
  readonly error: unknown
  /** Calls `listener` for every change of the state. */
  listen(listener: ConnectionListener): void
  /** Calls `listener` with errors outside of calls. */
  listenToErrors(listener: ConnectionErrorListener): void
  /**
   * Opens it unless it is open or opening: every caller waits for the same attempt. A failed attempt is repeated, and one
   * that is closing is closed first.
   */
  open(): Promise<void>
  /** Closes it, once any attempt to open it has ended. Opening it again creates a new connection. */
  close(): Promise<void>
}

/** A named connection to a database. */
export interface DataSource {
  readonly name: string
  readonly connector: Connector
  /** Opens and closes it, and knows its state. */
  readonly connection: Connection
  /** As configured, including secrets: never log it. */
  readonly settings: Readonly<Record<string, unknown>>
}
