import { InvalidDefinition, isPlainObject } from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import type { SqlTable } from './sql-table.ts'

/**
 * Refuses names that the database would cut: of the table, its schema and columns, and of the indexes and foreign keys that the model
 * names.
 * @throws {InvalidDefinition} one is too long
 */
export function checkNames({ longestName }: Pick<SqlDialect, 'longestName'>, table: SqlTable): void {
  if (longestName === undefined) return
  const { length, unit } = longestName
  const { model, columns, name, schema } = table
  const named = ['indexes', 'foreignKeys'].flatMap((key) => {
    const written = model.definition[key]
    return isPlainObject(written) ? Object.keys(written).map((each) => [each, `${key}.${each}`] as const) : []
  })
  const all = [
    [name, 'name'] as const,
    [schema ?? '', 'schema'] as const,
    ...columns.map((column) => [column.name, `properties.${column.property.name}`] as const),
    ...named
  ]
  const wrong = all.find(([each]) => (unit === 'bytes' ? Buffer.byteLength(each) : each.length) > length)
  if (wrong === undefined) return
  throw new InvalidDefinition(`the name "${wrong[0]}" has more than ${length} ${unit}, which the database would cut`, {
    model: model.name,
    key: wrong[1]
  })
}
