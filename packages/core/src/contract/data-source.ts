import type { Connector } from './connector.ts'

/** How far a data source is with its database. */
export type ConnectionState = 'closed' | 'opening' | 'open' | 'failed'

/** Called for a state once it is reached. */
export type ConnectionListener = (connection: Connection) => void

/** Called with an error that belongs to no call, such as a connection that the database ended. */
export type ConnectionErrorListener = (error: unknown) => void

/** The one connection of a data source, which is opened once until it is closed. */
export interface Connection {
  readonly state: ConnectionState
  /** Why it could not be opened, or closed; undefined in every state but `failed`. */
  readonly error: unknown
  /** Calls `listener` for every change of the state. */
  listen(listener: ConnectionListener): void
  /** Calls `listener` with errors that belong to no call. */
  listenToErrors(listener: ConnectionErrorListener): void
  /**
   * Opens it unless it is open or being opened: every caller waits for the same attempt. One that failed is made again, and one that
   * is being closed is closed first.
   */
  open(): Promise<void>
  /** Closes it, once an attempt to open it has ended. What is opened afterwards is a new connection. */
  close(): Promise<void>
}

/** A named connection to a database. */
export interface DataSource {
  readonly name: string
  readonly connector: Connector
  /** Opens and closes it, and has its state. */
  readonly connection: Connection
  /** As configured, secrets included: never log it. */
  readonly settings: Readonly<Record<string, unknown>>
}
