import type { Row } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import type { Column } from '../table/column.ts'
import { addUndeclared } from '../table/undeclared.ts'

/** Turns what the driver returns for `columns` into a row of the model. */
export function readRow(dialect: SqlDialect, columns: readonly Column[], raw: Readonly<Record<string, unknown>>): Row {
  const row: Row = {}
  for (const { property, name, kind, declared } of columns) {
    const value = raw[name]
    if (declared !== undefined) addUndeclared(row, value && dialect.decode(kind, value), declared)
    else row[property.name] = value === null || value === undefined ? null : dialect.decode(kind, value)
  }
  return row
}
