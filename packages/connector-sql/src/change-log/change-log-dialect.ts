import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { ColumnKind } from '../table/column-kind.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** What a trigger is made of. */
export interface TriggerParts {
  /** The beginning of its name: those of an event may add to it. */
  readonly name: string
  readonly table: SqlTable
  /** The statement that logs a change of the row that the database calls `new`, or `old` for a removal. */
  readonly insert: (kind: 'create' | 'update' | 'remove') => Sql
}

/** A trigger as the database keeps it. */
export interface ExistingTrigger {
  readonly name: string
  /** Which statement fires it; empty where the body says so. */
  readonly event: string
  /** What it does, or all of its definition, in SQL. */
  readonly body: string
}

/** How a database logs changes by triggers. */
export interface ChangeLogDialect {
  /** The type and the key of the column that counts entries. */
  readonly id: string
  /** The type of long texts. */
  readonly text: string
  /** The present time in milliseconds. */
  readonly now: Sql
  /** A column of `new` or `old`, in a form that its JSON keeps. @param type as the database writes it */
  readonly write: (value: Sql, column: Column, type: string) => Sql
  /** The value of a column that was written so and is not null, in the form of the model. */
  readonly read: (kind: ColumnKind, value: unknown) => unknown
  /** A JSON object; the names are literals. */
  readonly object: (members: readonly (readonly [name: Sql, value: Sql])[]) => Sql
  /** The triggers of a table, as `name`, `event` and `body`. */
  readonly listTriggers: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** The names that `create` gives to triggers. */
  readonly namesOf: (name: string) => readonly string[]
  readonly create: (trigger: TriggerParts) => readonly Sql[]
  readonly drop: (name: string, table: SqlTable) => Sql
  /** Makes a trigger again that was dropped. @param table by the name that it had then */
  readonly restore: (trigger: ExistingTrigger, table: SqlTable) => readonly Sql[]
  /** What a log without a key needs to be replicated; absent where it has one. */
  readonly identify?: (log: Sql) => Sql
  /** Wakes other processes when the transaction is committed; absent where the database cannot. */
  readonly notify?: Sql
}
