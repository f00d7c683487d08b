import type { MigrationStep } from '@modelwire/core/connector'
import { BSON, type Db } from 'mongodb'

/** A step with the function that executes it. */
export interface PlannedStep {
  readonly step: MigrationStep
  readonly perform: (db: Db) => Promise<unknown>
}

/** Formats values as MongoDB's extended JSON. */
export const written = (value: object): string => BSON.EJSON.stringify(value)

/** The mongosh expression for a collection. */
export const inShell = (collection: string): string => `db.getCollection(${JSON.stringify(collection)})`
