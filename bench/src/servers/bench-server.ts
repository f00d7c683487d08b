import type { DatabaseName } from '../databases.ts'
import type { OtherName } from '../others/others.ts'
import type { TablesKind } from './bench-tables.ts'

/** One of the servers that are compared. */
export interface BenchServer {
  /** Answers an address such as `http://127.0.0.1:4711`. */
  readonly listen: () => Promise<string>
  /** Removes what runs have created, so that each run meets the same number of rows. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
  /** What requests to it need to know, such as tokens. */
  readonly facts?: unknown
}

/** The servers by the name that `server-child` is started with. */
export type ServerKind =
  | 'handwritten'
  | 'handwritten-json'
  | 'modelwire'
  | 'modelwire-indexed'
  | 'modelwire-open'
  | 'modelwire-token'
  | 'modelwire-rows'
  | 'modelwire-metrics'
  | 'modelwire-traced'
  | 'modelwire-instrumented'
  | OtherName
  | 'oauth2'
  | 'oidc-provider'
  | 'resource-server'

/** How a server is built. */
export interface ServerSettings {
  readonly kind: ServerKind
  readonly rows: number
  /** Leaves the reviews out, of which there are three for each product. */
  readonly productsOnly?: boolean
  /** Form of the tokens of an authorization server. */
  readonly tokens?: 'jwt' | 'opaque'
  /** Where its records are; in its own memory when absent. */
  readonly database?: DatabaseName | undefined
  /** Its own database there: an empty one where there are tables, filled in MongoDB. */
  readonly databaseUrl?: string | undefined
  /** Whose tables are in it. */
  readonly tables?: TablesKind
}
