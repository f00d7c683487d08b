import type { TableName } from '../dialect/dialect.ts'
import type { TableDescription } from './create-discovery.ts'
import type { DiscoverOptions } from '@modelwire/core/connector'

/** Derives a name from one in the database. */
type NameOf = NonNullable<DiscoverOptions['nameOf']>

/** For names that have no letter. */
const nameless = { model: 'Table', property: 'column' }

/** Maps names of tables and columns to those of models. */
export interface Naming {
  readonly nameOf: NameOf
  readonly modelOf: (table: TableName) => string
  readonly propertyOf: (table: TableName, column: string) => string
}

/** Assigns unique names to the models of jointly discovered tables, and to the properties of each model. */
export function nameTables(tables: readonly TableDescription[], nameOf: NameOf): Naming {
  const models = uniqueNames(
    'model',
    tables.map(({ table }) => table.name),
    nameOf
  )
  const properties = new Map(tables.map((description) => [description.table.name, nameColumns(description, nameOf)]))
  // All of them are in one schema.
  const schema = tables[0]?.table.schema
  const isHere = (table: TableName): boolean =>
    table.schema === undefined || schema === undefined || table.schema === schema
  return {
    nameOf,
    modelOf: (table) => (isHere(table) ? models.get(table.name) : undefined) ?? nameOf('model', table.name),
    propertyOf: (table, column) =>
      (isHere(table) ? properties.get(table.name)?.get(column) : undefined) ?? nameOf('property', column)
  }
}

function nameColumns({ columns }: TableDescription, nameOf: NameOf): ReadonlyMap<string, string> {
  return uniqueNames(
    'property',
    columns.map(({ columnName }) => columnName),
    nameOf
  )
}

/**
 * A name for each name of the database: what `nameOf` makes of it, with a number behind it where another one has that name.
 * Who is called so itself comes first.
 */
function uniqueNames(
  kind: keyof typeof nameless,
  originals: readonly string[],
  nameOf: NameOf
): ReadonlyMap<string, string> {
  const made = originals.map((original) => ({ original, name: nameOf(kind, original) || nameless[kind] }))
  const own = made.filter(({ original, name }) => original === name)
  const names = new Map(own.map(({ original, name }) => [original, name]))
  const taken = new Set(names.values())
  for (const { original, name } of made) {
    if (names.has(original)) continue
    const free = freeName(name, taken)
    names.set(original, free)
    taken.add(free)
  }
  return names
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  return free
}
