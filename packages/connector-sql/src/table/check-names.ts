import { InvalidDefinition, isPlainObject } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import type { NameRules } from '../migrate/schema-dialect.ts'
import type { SqlTable } from './sql-table.ts'

type Names = Pick<SqlDialect, 'longestName'> & { readonly schema: { readonly names: Pick<NameRules, 'fold'> } }

/**
 * Refuses names that the database would cut (of the table, its schema and columns, and of the indexes and foreign keys that the model
 * names), and two properties whose columns are one.
 * @throws {InvalidDefinition} a name is too long, or a column is that of two properties
 */
export function checkNames(dialect: Names, table: SqlTable): void {
  checkLengths(dialect, table)
  const names = new Map<string, string>()
  for (const { name, property } of table.columns) {
    const key = dialect.schema.names.fold(name)
    const other = names.get(key)
    if (other !== undefined)
      throw new InvalidDefinition(`the column "${name}" is that of the property "${other}" already`, {
        model: table.model.name,
        key: `properties.${property.name}`
      })
    names.set(key, property.name)
  }
}

function checkLengths({ longestName }: Names, table: SqlTable): void {
  if (longestName === undefined) return
  const { length, unit } = longestName
  const { model, columns, name, schema } = table
  const named = ['indexes', 'foreignKeys'].flatMap((key) => {
    const written = model.definition[key]
    if (!isPlainObject(written)) return []
    return Object.entries(written).map(([each, value]) => [nameOf(value) ?? each, `${key}.${each}`] as const)
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

/** A foreign key may have another name than that of its key. */
function nameOf(value: unknown): string | undefined {
  return isPlainObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined
}
