import type { SqlDialect } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TablePlan } from './plan-context.ts'
import type { StepBack } from './planned-step.ts'
import type { ExistingForeignKey, ExistingIndex } from './table-state.ts'

/** Makes an index again that was dropped, in ascending order; one of more than columns has to be written by hand. */
export function restoreIndex(
  { schema }: SqlDialect,
  { table, state }: Pick<TablePlan, 'table' | 'state'>,
  { name, columns, unique, isPlain, isConstraint }: ExistingIndex
): StepBack {
  if (!isPlain) return { run: [], unknown: `the index ${name} of ${table.name} (${columns || 'an expression'})` }
  const { fold } = schema.names
  const parts = columns.split(',').map((key) => {
    const column = table.columns.find((each) => fold(each.name) === key)
    const type = state.columns.get(key)?.type ?? ''
    const written = sql.id(state.columns.get(key)?.name ?? key)
    return column === undefined ? written : schema.indexColumn(column, false, { type, unique })
  })
  const list = sql.join(parts)
  if (isConstraint) return { run: [sql`alter table ${table.sql} add constraint ${sql.id(name)} unique (${list})`] }
  return { run: [schema.placeIndex(unique ? sql`create unique index` : sql`create index`, name, table, list)] }
}

/** Makes a foreign key again that was dropped. */
export function restoreForeignKey(table: SqlTable, key: ExistingForeignKey): Sql {
  const { name, columns, target, targetColumns, targetSchema = table.schema, onDelete } = key
  const place = targetSchema === undefined ? sql.id(target) : sql.id(targetSchema, target)
  const action = onDelete === '' ? sql`` : sql` on delete ${sql.raw(onDelete)}`
  return sql`alter table ${table.sql} add constraint ${sql.id(name)} foreign key (${namesOf(columns)}) references ${place} (${namesOf(targetColumns)})${action}`
}

const namesOf = (list: readonly string[]): Sql => sql.join(list.map((each) => sql.id(each)))
