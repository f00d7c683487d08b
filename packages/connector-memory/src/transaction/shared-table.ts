import type { Collection } from '@modelwire/core/connector'
import type { FindDataFile } from '../memory-collection.ts'
import type { Table } from '../table/table.ts'

/** The records of a model as they are outside of transactions. */
export interface SharedTable {
  readonly table: Table
  readonly collection: Collection
  readonly dataFile: FindDataFile
  /** How often the records have changed. */
  version: number
}
