import type { Connection } from './connection.ts'
import type { Connector } from './connector.ts'

/** A named connection to a database. */
export interface DataSource {
  readonly name: string
  readonly connector: Connector
  /** Opens and closes it, and tells how far it is. */
  readonly connection: Connection
  /** As configured, secrets included: never log it. */
  readonly settings: Readonly<Record<string, unknown>>
}
