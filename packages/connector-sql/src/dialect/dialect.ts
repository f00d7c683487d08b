import type { Pattern, DatePart, readIsolation } from '@modelwire/core/connector'
import type { Fault } from './fault.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import type { Notation, Sql } from '../sql.ts'
import type { Column, ExactText } from '../table/column.ts'
import type { ColumnKind, ColumnType } from '../table/column-types.ts'
import type { SqlTable, TableDialect } from '../table/sql-table.ts'

/** How a database writes aggregates, except `count`, `sum`, `min` and `max`, which all write alike. */
export interface AggregateDialect {
  /**
   * A part of a date in UTC: `date` and `yearMonth` as strings, the others as integers. Undefined if the database cannot
   * convert the column's times to UTC.
   */
  readonly datePart: (part: DatePart, column: Column) => Sql | undefined
  /** The average of numbers, as a floating-point number. */
  readonly average: (number: Sql) => Sql
  /** The average of exact numbers, rounded to `places` decimals. */
  readonly exactAverage: (number: Sql, places: number) => Sql
}

/** A value to compare: a column, or a part of a JSON document. */
export interface Subject {
  readonly kind: ColumnKind
  readonly sql: Sql
  /** Strings are compared by code point, which must be declared in some databases. */
  readonly isText: boolean
  /** The column's type; absent for a part of a document. */
  readonly type?: ColumnType | undefined
  /** How its strings are compared exactly; absent if the database does so by default. */
  readonly exactly?: ExactText | undefined
}

/** The values at a path in a JSON document, one per row, and how to read them. */
export interface JsonItems {
  /** The SQL after `from`. A list at the end of the path is expanded into its items. */
  readonly rows: Sql
  /** Whether the path exists, even as an empty list. */
  readonly found: Sql
  /** `string`, `number`, `boolean`, `null`, `object` or `array`. */
  readonly type: Sql
  readonly text: Sql
  /** How it is compared exactly; absent if the database does so by default. */
  readonly exactly?: ExactText
  /** The number, parsed from a string if necessary; null for anything else. */
  readonly number: Sql
}

/** How a database reads and changes JSON in its columns. */
export interface JsonDialect {
  readonly items: (column: Column, path: readonly string[]) => JsonItems
  /** An expression to order by the value at a path of a JSON column. */
  readonly order: (column: Column, path: readonly string[], kind: ColumnKind) => Sql
  /** A JSON object with the properties of `patch` replacing those of the same name; null counts as an empty one. */
  readonly merge: (document: Sql, patch: Readonly<Record<string, unknown>>) => Sql
}

/** How a database's transactions begin and behave. */
export interface TransactionDialect {
  /** The statements that begin a transaction with this isolation level, or with the database's default. */
  readonly begin: (isolation: ReturnType<typeof readIsolation> | undefined) => readonly string[]
  /** A failed statement always aborts the whole transaction. */
  readonly failAsWhole?: true
  /** A transaction reads records as of its first read, unlike its writes. */
  readonly readSnapshots?: true
  /** Advisory locks that transactions hold; absent if one transaction writes at a time, or phantoms cannot occur. */
  readonly locks?: KeyLocks
}

/** A table's names in the database. */
export interface TableName {
  readonly name: string
  readonly schema: string | undefined
}

/** How the catalog of a database is read. */
export interface CatalogDialect {
  /** Tables, and views on request, by name: `name`, `owner`, `type` (`table` or `view`). */
  readonly listTables: (schema: string | undefined, views: boolean) => Sql
  /**
   * The columns of a table in order: `name`, `data_type`, `length`, `num_precision`, `num_scale`; `nullable`, `is_generated`,
   * `is_identity`, `is_computed` (it cannot be written) and `has_default` (of another kind), each 1 or 0; `key_position` in the primary key from 1, else 0 or null; `key_name`.
   */
  readonly describeColumns: (table: TableName) => Sql
  /**
   * The columns of an existing table, none if there is no table: `name`, `type`, `relation` (`view`, `partitioned` or
   * `table`), and as 1 or 0 `is_required` and `is_key`. `has_default` is 0, 1, or 2 for values that the database counts or
   * computes, and `is_computed` is 1 where they cannot be written; `default_text` is one that is a chosen value, in SQL. Some databases also return: `base_type`, the underlying type of a named one; `rest`, the rest of a column's
   * definition, needed when its type changes; `collation`, that of a string if keys must share one; `wide`, what treats
   * different strings of the column as equal, and `may_be_wide`, what only may do so; `is_plainly_indexed`, 1 if an index
   * that starts with it has nulls in the default position of orders.
   */
  readonly listColumns: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** The foreign keys of a table, a row per column in order: `name`, `column_name`, `target`, `target_column`, `target_schema`, `on_delete`. */
  readonly listForeignKeys: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** The check constraints of a table, as `name`; or, where they cannot be listed, its definition as the only `name`. */
  readonly listChecks: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /**
   * The indexes of a table: `name`; `columns`, their names separated by commas; as 1 or 0 `is_unique`, `is_primary`,
   * `is_constraint` (it is dropped with its constraint) and `is_plain`: it covers all records, is in use, and consists of
   * columns only.
   */
  readonly listIndexes: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
}

/** The parts of a trigger. */
interface TriggerParts {
  /** The prefix of its name: triggers of single events may append to it. */
  readonly name: string
  readonly table: SqlTable
  /** The statement that logs a change of the row that the database calls `new`, or `old` for a removal. */
  readonly insert: (kind: 'create' | 'update' | 'remove') => Sql
}

/** A trigger as stored in the database. */
export interface ExistingTrigger {
  readonly name: string
  /** The statement that fires it; empty if the body contains it. */
  readonly event: string
  /** Its body, or its whole definition, in SQL. */
  readonly body: string
}

/** How a database logs changes with triggers. */
export interface ChangeLogDialect {
  /** The type and the key of the column that counts entries. */
  readonly id: string
  /** The type of long texts. */
  readonly text: string
  /** The current time in milliseconds. */
  readonly now: Sql
  /** A column of `new` or `old`, in a form that JSON preserves, unless its type defines one. */
  readonly write: (value: Sql, kind: ColumnKind) => Sql
  /** Converts a value written in that form, not null, to the form of the model. */
  readonly read: (kind: ColumnKind, value: unknown) => unknown
  /** A JSON object; the names are literals. */
  readonly object: (members: readonly (readonly [name: Sql, value: Sql])[]) => Sql
  /** The triggers of a table, as `name`, `event` and `body`. */
  readonly listTriggers: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** The names that `create` assigns to triggers. */
  readonly namesOf: (name: string) => readonly string[]
  readonly create: (trigger: TriggerParts) => readonly Sql[]
  readonly drop: (name: string, table: SqlTable) => Sql
  /**
   * Recreates a trigger that was dropped.
   * @param table by the name that it had then
   */
  readonly restore: (trigger: ExistingTrigger, table: SqlTable) => readonly Sql[]
  /** What a log without a key needs for replication; absent if it has one. */
  readonly identify?: (log: Sql) => Sql
  /** Notifies other processes when the transaction is committed; absent if the database cannot. */
  readonly notify?: Sql
}

/** How a database writes SQL. Only differences from `standardSql` are listed. */
export interface SqlDialect extends TableDialect {
  /** As written in `datasources.json`. */
  readonly name: string
  readonly notation: Notation
  /** `like` matches substrings: a setting of the data source. */
  readonly likeAnywhere: boolean
  /** The suffix of a select that locks its rows; empty if a transaction has exclusive access to the database. */
  readonly forUpdate: Sql
  /** A string may contain U+0000. */
  readonly holdsNul: boolean
  /** `returning` is supported. */
  readonly returning: boolean
  /** The expression after `on conflict …` that detects inserted rows; absent if an insert cannot become an update. */
  readonly wasCreated?: Sql
  /** The `limit` to use if there is only an offset; absent if an offset needs none. */
  readonly noLimit?: Sql
  /** The value as a parameter of a comparison. */
  readonly operand: (kind: ColumnKind, value: unknown) => Sql
  /** The value as a parameter of an insert or update. `type`: that of the column; absent if unknown. */
  readonly stored: (kind: ColumnKind, value: unknown, type?: ColumnType) => Sql
  /** The value of a column as the driver returns it, never null. `type`: that of the column; absent if unknown. */
  readonly decode: (kind: ColumnKind, value: unknown, type?: ColumnType) => unknown
  /** A value of another type as text. */
  readonly asText: (value: Sql, kind: ColumnKind) => Sql
  /** The string in code point order. */
  readonly byCode: (text: Sql) => Sql
  /** Whether a value is one of many, none of them null; absent if they are listed. */
  readonly isOneOf?: (subject: Subject, values: readonly unknown[]) => Sql
  readonly like: (text: Sql, pattern: LikePattern) => Sql
  readonly regexp: (text: Sql, pattern: Pattern) => Sql
  readonly json: JsonDialect
  /** A coordinate of a point, in degrees. */
  readonly coordinate: (point: Sql, part: 'lat' | 'lng') => Sql
  /** The direction of an order, with nulls first, or last if it is descending. */
  readonly direction: (descending: boolean) => Sql
  /** Inserts rows without values. */
  readonly insertDefaults: (table: SqlTable, count: number) => Sql
  /**
   * Selects the increment between ids that one insert generates, as `step`; absent if ids are assigned differently, or the
   * increment is always 1.
   */
  readonly idStep?: Sql
  /** Makes the database's own ids continue after `id`, if it does not do so by itself. */
  readonly raiseIds?: ((table: SqlTable, id: Column, highest: number) => Sql) | undefined
  /** A statement that changes a table can only read it through a derived table. */
  readonly readsNoChanged?: true
  /** Columns of all types can be compared as keys. Absent: only those whose types have the same `keys`, or are the same. */
  readonly comparesAllKeys?: true
  /** What values are cast to has a collation that may treat different strings as equal. */
  readonly castsWidely?: true
  /** How strings are compared exactly if a column's collation may treat different ones as equal. */
  readonly exactText: ExactText
  readonly transactions: TransactionDialect
  /** The meaning of an error of the driver; undefined for one that is not the database's. */
  readonly fault: (error: unknown) => Fault | undefined
  readonly aggregate: AggregateDialect
  /** Logs changes with triggers; absent if the database cannot. */
  readonly changeLog?: ChangeLogDialect | undefined
  readonly schema: SchemaDialect
  readonly catalog: CatalogDialect
}

/** How a transaction holds advisory locks. */
export interface KeyLocks {
  /** Takes the locks in this order, waiting for those held by other transactions; selects rows whose `taken` is 1. */
  readonly take: (keys: readonly string[]) => Sql
  /** Releases the locks after the transaction; absent if the end of the transaction does so. */
  readonly release?: (keys: readonly string[]) => Sql
}

/** The pattern of `like`. */
export interface LikePattern {
  /** With `%`, `_`, and a backslash that escapes them or itself. */
  readonly text: string
  readonly ignoreCase: boolean
}
