import { canBeNamed, type DiscoverOptions } from '@modelwire/core/connector'
import type { TableName } from '../dialect/dialect.ts'
import type { TableDescription } from './create-discovery.ts'

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

interface NamedTable {
  readonly table: TableName
  readonly model: string
  readonly properties: ReadonlyMap<string, string>
}

/** Assigns unique names to the models of jointly discovered tables, and to the properties of each model. */
export function nameTables(tables: readonly TableDescription[], nameOf: NameOf): Naming {
  const models = uniqueNames(
    'model',
    tables.map(({ table }) => table.name),
    nameOf
  )
  const named = new Map<string, NamedTable[]>()
  for (const [at, { table, columns }] of tables.entries()) {
    const own = columns.map(({ columnName }) => columnName)
    const properties = new Map(uniqueNames('property', own, nameOf).map((name, place) => [own[place] ?? '', name]))
    const alike = named.get(table.name) ?? []
    named.set(table.name, [...alike, { table, model: models[at] ?? '', properties }])
  }
  const find = (table: TableName): NamedTable | undefined =>
    named.get(table.name)?.find((each) => isSame(each.table, table))
  return {
    nameOf,
    modelOf: (table) => find(table)?.model ?? nameOf('model', table.name),
    propertyOf: (table, column) => find(table)?.properties.get(column) ?? nameOf('property', column)
  }
}

/** Catalogs name the schemas of keys even where nobody names that of a table. */
function isSame(one: TableName, other: TableName): boolean {
  return one.schema === undefined || other.schema === undefined || one.schema === other.schema
}

/**
 * A name for each name of the database, in order: what `nameOf` makes of it, with a number behind it where another one has
 * that name or nothing can be called so. Who is called so itself comes first.
 */
function uniqueNames(kind: keyof typeof nameless, originals: readonly string[], nameOf: NameOf): readonly string[] {
  const made = originals.map((original) => nameOf(kind, original) || nameless[kind])
  const isOwn = (at: number): boolean => made[at] === originals[at] && canBeNamed(kind, originals[at] ?? '')
  const names = made.map((name, at) => (isOwn(at) && originals.indexOf(name) === at ? name : undefined))
  const taken = new Set(names)
  return made.map((name, at) => {
    const free = names[at] ?? freeName(kind, name, taken)
    taken.add(free)
    return free
  })
}

function freeName(kind: keyof typeof nameless, name: string, taken: ReadonlySet<string | undefined>): string {
  let free = name
  for (let number = 2; taken.has(free) || !canBeNamed(kind, free); number++) free = `${name}${number}`
  return free
}
