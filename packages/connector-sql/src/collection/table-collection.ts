import { type Awaitable, type Collection, isAccessModel, type ModelType } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { createFindRelated } from '../find/find-related.ts'
import type { Runners } from '../hosts/create-runners.ts'
import { createFindJson } from '../json/find-json.ts'
import type { ColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableFacts } from '../table/table-facts.ts'
import { createCollection } from './sql-collection.ts'

/** What the collections of a data source share. */
export interface CollectionPlace {
  readonly dialect: SqlDialect
  readonly runners: Runners
  readonly tableOf: (model: ModelType) => SqlTable
  /** The table as it is in the database. */
  readonly presentTable: (model: ModelType) => Awaitable<SqlTable>
  readonly types: TableFacts<SqlTable, ColumnTypes>
}

/** The records in a table, with everything that the dialect can do. What decides who may do what is read as it is now. */
export function createTableCollection(table: SqlTable, place: CollectionPlace): Collection {
  const { dialect, tableOf, runners, types, presentTable } = place
  const context = { dialect, table, tableOf, runner: runners.writer }
  const reading = { ...context, runner: runners.readerOf(() => isAccessModel(table.model)) }
  const collection: Collection = {
    ...createCollection(context, reading.runner),
    findRelated: createFindRelated(reading)
  }
  const { json } = dialect
  return json === undefined
    ? collection
    : { ...collection, findJson: createFindJson({ ...reading, json, types, presentTable }) }
}
