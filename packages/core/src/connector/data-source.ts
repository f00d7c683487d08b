import type { Connector } from './connector.ts'

/** A named connection to a database. */
export interface DataSource {
  readonly name: string
  readonly connector: Connector
  /** As configured, secrets included: never log it. */
  readonly settings: Readonly<Record<string, unknown>>
}
