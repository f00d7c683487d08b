import type { MigrationStep } from '@modelwire/core/connector'
import { BSON, type Db } from 'mongodb'

/** A step, and what carries it out. */
export interface PlannedStep {
  readonly step: MigrationStep
  readonly perform: (db: Db) => Promise<unknown>
}

/** Values as MongoDB writes them in JSON. */
export const written = (value: object): string => BSON.EJSON.stringify(value)

/** How mongosh calls a collection. */
export const inShell = (collection: string): string => `db.getCollection(${JSON.stringify(collection)})`
