import type { Isolation, Pattern } from '@modelwire/core/connector'
import type { ChangeLogDialect } from './change-log/change-log-dialect.ts'
import type { ConnectionPool } from './connection/pool.ts'
import type { AggregateDialect } from './find/aggregate-dialect.ts'
import type { Fault } from './faults/fault.ts'
import type { CatalogDialect } from './discover/catalog-dialect.ts'
import type { ReplicaHosts } from './hosts/replicas.ts'
import type { SchemaDialect } from './migrate/schema-dialect.ts'
import type { StatementResult } from './statement/statement-result.ts'
import type { Notation, Sql } from './sql.ts'
import type { ColumnKind } from './table/column-kind.ts'
import type { Mapping } from './table/read-mapping.ts'
import type { Column, ExactText } from './table/column.ts'
import type { Exactness } from './table/exact-text.ts'
import type { SqlTable } from './table/sql-table.ts'

/** A value that is compared: a column, or a part of a JSON document. */
export interface Subject {
  readonly kind: ColumnKind
  readonly sql: Sql
  /** Texts are compared by their codes, which some databases need declared. */
  readonly isText: boolean
  /** The model's mapping of the column. */
  readonly mapping?: Mapping
  /** How its texts are compared by their characters; absent where the database does so. */
  readonly exactly?: ExactText | undefined
}

/** The values that a path leads to in a JSON document, one row each, and how to read them. */
export interface JsonItems {
  /** What stands behind `from`. A list at the end of the path is its items. */
  readonly rows: Sql
  /** The path leads somewhere, if only to an empty list. */
  readonly found: Sql
  /** `string`, `number`, `boolean`, `null`, `object` or `array`. */
  readonly type: Sql
  readonly text: Sql
  /** How that is compared by its characters; absent where the database does so. */
  readonly exactly?: ExactText
  /** The number, also of a text that is one; null of anything else. */
  readonly number: Sql
}

/** How a database writes what the others write differently. */
export interface SqlDialect {
  /** As written in `datasources.json`. */
  readonly name: string
  readonly notation: Notation
  /** Keys of model files below which its tables and columns are described, the first one first. */
  readonly mappingKeys: readonly string[]
  /** `like` finds a part of a text. */
  readonly likeAnywhere: boolean
  /** A text is one of the type that a model names. Absent where the database compares a column with every text. */
  readonly hasType?: (dataType: string, text: string) => boolean
  /** Names that are longer would be cut, and two of them become one; undefined where they may have any length. */
  readonly longestName?: { readonly length: number; readonly unit: 'bytes' | 'characters' }
  /** It has a type for exact numbers of many digits. */
  readonly holdsDecimals: boolean
  /** What stands behind a select that locks its rows; undefined where a transaction has the whole database for itself. */
  readonly forUpdate: Sql | undefined
  /** A text may have the character U+0000. */
  readonly holdsNul: boolean
  /** `returning` works. */
  readonly returning: boolean
  /** What stands behind `on conflict …` to detect inserted rows; undefined where an insert cannot become an update. */
  readonly wasCreated: Sql | undefined
  /** The `limit` where there is only an offset; undefined where an offset needs none. */
  readonly noLimit: Sql | undefined
  /** The name of a table or column whose model names none. */
  defaultName: (name: string) => string
  /** The value as a parameter of a comparison. */
  operand: (kind: ColumnKind, value: unknown) => Sql
  /** The value as a parameter of an insert or update. */
  stored: (kind: ColumnKind, value: unknown) => Sql
  /** The value of a column as the driver returns it, never null. */
  decode: (kind: ColumnKind, value: unknown) => unknown
  /** A value of another type as text. */
  asText: (value: Sql, kind: ColumnKind) => Sql
  /** The text in the order of its codes. */
  byCode: (text: Sql) => Sql
  /** One of many values, none of them null. */
  isOneOf: (subject: Subject, values: readonly unknown[]) => Sql
  like: (text: Sql, pattern: LikePattern) => Sql
  regexp: (text: Sql, pattern: Pattern) => Sql
  jsonItems: (column: Column, path: readonly string[]) => JsonItems
  /** What a path of a JSON column leads to, as something to order by. */
  jsonOrder: (column: Column, path: readonly string[], kind: ColumnKind) => Sql
  /** A JSON object with the properties of `patch` in place of its own of the same name; null counts as an empty one. */
  mergeJson: (document: Sql, patch: Readonly<Record<string, unknown>>) => Sql
  /** A part of a point, in degrees. */
  coordinate: (point: Sql, part: 'lat' | 'lng') => Sql
  /** The direction of an order, with rows that lack the value first, or last where it descends. */
  direction: (descending: boolean) => Sql
  /** Inserts rows without values. */
  insertDefaults: (table: SqlTable, count: number) => Sql
  /** The id that the database generated for the first row of an insert; only used where `returning` does not work. */
  readonly firstInsertId?: (insertId: bigint | undefined) => bigint
  /** Gives how far apart the ids are that one insert generates, as `step`; absent where they are given otherwise, or always 1. */
  readonly idStep?: Sql
  /** Lets the database's own ids go on above `id`, where it does not do so by itself. */
  readonly raiseIds?: (table: SqlTable, id: Column, highest: number) => Sql
  /** False where a statement that changes a table cannot read it as well, but through a table that it makes of it. */
  readonly readsChanged?: boolean
  /** Columns of all types can be compared as keys. Absent: those whose types in `exactness.listTypes` are equal. */
  readonly comparesAllKeys?: true
  /** Where the collation of a column may take other texts for the same. */
  readonly exactness: Exactness
  /** A transaction reads records as they were at its first read, unlike its writes. */
  readonly readsSnapshots?: boolean
  /** Locks of texts that transactions hold; absent where one transaction writes at a time, or none overlooks what another one adds. */
  readonly locks?: KeyLocks
  /** The statements that begin a transaction of this isolation, or of the database's default. */
  readonly begin: (isolation: Isolation | undefined) => readonly string[]
  /** Whichever statement fails takes the whole transaction with it. */
  readonly failsTransactions?: boolean
  /** What an error of the driver means; undefined for one that is none of the database's. */
  fault: (error: unknown) => Fault | undefined
  readonly aggregate: AggregateDialect
  /** Logs changes by triggers; absent where the database cannot. */
  readonly changeLog?: ChangeLogDialect
  readonly schema: SchemaDialect
  readonly catalog: CatalogDialect
}

/** How a transaction holds the locks of texts. */
export interface KeyLocks {
  /** Takes the locks in this order, and waits where another transaction holds one; gives rows whose `taken` is 1. */
  readonly take: (keys: readonly string[]) => Sql
  /** Gives the locks free after the transaction; absent where the end of the transaction does. */
  readonly release?: (keys: readonly string[]) => Sql
}

/** The text behind `like`. */
export interface LikePattern {
  /** With `%`, `_` and a backslash that takes their meaning, or its own, away. */
  readonly text: string
  readonly ignoreCase: boolean
}

/** How the connector reaches its database. */
export interface Database {
  readonly dialect: SqlDialect
  /** What LoopBack's connector gives to scripts for a statement of theirs. */
  readonly resultOf: (statement: string, result: StatementResult) => unknown
  readonly open: () => ConnectionPool
  /** The pool for migrations, whose statements may take as long as they need; absent where nothing ends a statement. */
  readonly forMigration?: (() => ConnectionPool) | undefined
  /** Servers that copy the database and answer reads; absent where there are none. */
  readonly replicas?: ReplicaHosts | undefined
  /**
   * Calls `wake` for notifications of other processes until the returned function is called, and again when it is connected anew.
   * Absent where the database has none.
   */
  readonly listen?: ((wake: () => void) => Promise<() => Promise<void>>) | undefined
  /** The schema of tables whose model names none. */
  readonly schema: string | undefined
}
