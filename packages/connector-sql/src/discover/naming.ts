import type { TableName } from './catalog-dialect.ts'
import type { TableDescription } from './describe-table.ts'
import { uniqueNames, type NameOf } from './unique-names.ts'

/** What tables and columns are called in models. */
export interface Naming {
  readonly nameOf: NameOf
  readonly modelOf: (table: TableName) => string
  readonly propertyOf: (table: TableName, column: string) => string
}

/** Names the tables that are discovered together, each model and each property of one model differently. */
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
