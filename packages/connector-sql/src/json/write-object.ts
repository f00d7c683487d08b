import type { JsonShape, RelatedJson } from '@modelwire/core/connector'
import { sql, type Sql } from '../sql.ts'
import type { ColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { JsonDialect } from './json-dialect.ts'
import { keyName } from './keyed-rows.ts'

/** The name under which the text of all rows of one key stands. */
export const textName = 'text of the rows'

/** Records whose text is written. */
export interface WrittenRecords {
  readonly dialect: JsonDialect
  readonly table: SqlTable
  readonly types: ColumnTypes
  /** The name that stands before their columns in the statement. */
  readonly alias: string
}

const qualified = (column: Sql, alias: string): Sql => sql`${sql.id(alias)}.${column}`

/** The text of one record, null where a value has none; undefined where the database cannot write such records. */
export function writeObject(
  { dialect, table, types, alias }: WrittenRecords,
  { properties, undeclared }: JsonShape,
  members: readonly Sql[]
): Sql | undefined {
  const parts: (Sql | undefined)[] = []
  for (const [at, { name }] of properties.entries()) {
    const column = table.byProperty.get(name)
    const type = types.get(column?.name ?? '')
    if (column === undefined || type === undefined) return undefined
    const value = qualified(column.sql, alias)
    parts.push(
      dialect.literal(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      dialect.writeValue(value, column, type)
    )
  }
  // Members begin with a comma.
  if (properties.length === 0) return undefined
  parts.push(...members, dialect.literal('}'))
  if (!parts.every((part) => part !== undefined)) return undefined
  const text = sql`(${sql.join(parts, sql` || `)})`
  const others = undeclared ? table.undeclared : undefined
  // A record that has some has no text.
  return others === undefined ? text : sql`case when ${qualified(others.sql, alias)} is null then ${text} end`
}

/** The text of related records behind those of `writeObject`, from the row of their key. */
export function writeMember(dialect: JsonDialect, { name, many }: RelatedJson, alias: string): Sql {
  const start = dialect.literal(`,${JSON.stringify(name)}:`)
  const [key, json] = [sql.id(alias, keyName), sql.id(alias, textName)]
  return many
    ? sql`${start} || case when ${key} is null then '[]' else '[' || ${json} || ']' end`
    : sql`case when ${key} is null then '' else ${start} || ${json} end`
}
