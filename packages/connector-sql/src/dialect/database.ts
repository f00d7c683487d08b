import type { PoolState, Row } from '@modelwire/core/connector'
import type { RawRow, Statement, Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlSettings } from '../settings.ts'
import type { SqlDialect } from './dialect.ts'

/** The result of a statement. */
export interface StatementResult {
  readonly rows: readonly RawRow[]
  /** Number of affected rows; undefined if the driver does not report it. */
  readonly numAffectedRows?: bigint | undefined
  /** Number of rows whose values changed; undefined if the driver does not report it. */
  readonly numChangedRows?: bigint | undefined
  readonly insertId?: bigint | undefined
  /** Rows of the model, if these are the first columns of the statement; absent if `rows` are already decoded. */
  readonly rowsOf?: (columns: readonly Column[]) => Row[]
}

/** Runs statements. Errors are the driver's. */
export interface StatementRunner {
  run: (statement: Statement) => Promise<StatementResult>
}

/** A connection taken from a pool. It runs one statement at a time. */
export interface Connection extends StatementRunner {
  /**
   * Runs a read part by part: the rows of a result are taken before the next one is asked for. The statement ends with the
   * iteration, even if that is left early. Absent: the driver only reads whole results.
   */
  readonly readParts?: (statement: Statement) => AsyncGenerator<StatementResult>
  /** Returns it to the pool, which closes it if it is broken. */
  release: (isBroken: boolean) => void
}

/** The connections of an open database. */
export interface ConnectionPool {
  /** Takes a connection, as soon as one is free. Errors are the driver's. */
  readonly connect: () => Promise<Connection>
  /** The driver's own way to run statements outside of transactions, on any connection; absent if each takes one for itself. */
  readonly direct?: StatementRunner
  /** Its current connections; absent if it is not a pool. */
  readonly state?: () => PoolState
  /** Closes all connections. No other method is called after it. */
  readonly end: () => Promise<void>
}

/** How a database reports the progress of its replicas. */
export interface LagDialect {
  /** Selects the `position` of the primary: everything committed so far is before it. */
  readonly position: Sql
  /** Selects the `position` that a replica has reached, and `copies`, which is true if it is a replica. */
  readonly state: Sql
  /** Whether everything before the position `wanted` is in the replica. */
  readonly hasReached: (position: string, wanted: string) => boolean
}

/** The replicas of a data source. */
export interface ReplicaHosts {
  readonly hosts: readonly { readonly name: string; readonly open: () => ConnectionPool }[]
  /** Milliseconds that a replica may lag behind. */
  readonly maxLag: number
  /** Milliseconds after a write during which its client reads from the primary. */
  readonly readAfterWrite: number
  readonly lag: LagDialect
}

/** Limits of reads part by part, each of which holds a connection for as long as its client reads. */
export interface PartLimits {
  /** How many may run at once on one pool. Below 1 all reads are whole. */
  readonly atOnce: number
  /** Milliseconds that a client may take for one part; 0: no limit. */
  readonly timeout: number
}

/** How the connector accesses its database. */
export interface Database {
  readonly dialect: SqlDialect
  /** The result that LoopBack's connector returns for a script's statement. */
  readonly resultOf: (statement: string, result: StatementResult) => unknown
  readonly open: () => ConnectionPool
  /** The pool for migrations, whose statements have no time limit; absent if statements have no limit anyway. */
  readonly forMigration?: (() => ConnectionPool) | undefined
  /** Limits of reads part by part; absent if connections only read whole results. */
  readonly parts?: PartLimits | undefined
  /** Read replicas of the database; absent if there are none. */
  readonly replicas?: ReplicaHosts | undefined
  /**
   * Calls `wake` for notifications of other processes until the returned function is called, and after reconnecting. Absent
   * if the database has no notifications.
   */
  readonly listen?: ((wake: () => void) => Promise<() => Promise<void>>) | undefined
  /** The schema of tables whose model does not name one. */
  readonly schema: string | undefined
}

/** The name in lower case, its words joined by underscores: `createdAt` is `created_at`, `HTTPRoute` is `http_route`. */
const snakeCase = (name: string): string =>
  name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_')
    .replace(/[^\p{L}\p{N}_$]+/gu, '_')
    .toLowerCase()

/** Applies settings to a database: snake_case names, unless models set them, and `like` that matches substrings. */
export const withSettings = (database: Database, { naming, like }: Pick<SqlSettings, 'naming' | 'like'>): Database => ({
  ...database,
  dialect: {
    ...database.dialect,
    ...(naming === 'snake_case' && { defaultName: snakeCase }),
    likeAnywhere: like === 'part'
  }
})
