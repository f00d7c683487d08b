import { type Collection, isAccessModel, type ModelType } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { createFindRelated } from '../find/find-related.ts'
import type { Runners } from '../hosts/create-runners.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { createCollection } from './sql-collection.ts'

/** What the collections of a data source share. */
export interface CollectionPlace {
  readonly dialect: SqlDialect
  readonly runners: Runners
  readonly tableOf: (model: ModelType) => SqlTable
}

/** The records in a table, with everything that the dialect can do. What decides who may do what is read as it is now. */
export function createTableCollection(table: SqlTable, { dialect, tableOf, runners }: CollectionPlace): Collection {
  const context = { dialect, table, tableOf, runner: runners.writer }
  const reading = { ...context, runner: runners.readerOf(() => isAccessModel(table.model)) }
  return { ...createCollection(context, reading.runner), findRelated: createFindRelated(reading) }
}
