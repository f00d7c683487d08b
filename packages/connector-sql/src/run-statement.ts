import type { CompiledQuery, QueryResult } from 'kysely'
import type { FaultPlace } from './faults/translate-error.ts'
import type { Sql } from './sql.ts'

/** A row as the driver returns it. */
export type RawRow = Readonly<Record<string, unknown>>

/** Runs statements, in the transaction of the caller where there is one. */
export interface Runner {
  /**
   * Runs one statement. Where it fails for a reason that is the database's, the error has a code.
   * @throws {DuplicateKey} an id or a unique value exists already
   * @throws {DataSourceUnavailable} the database cannot be reached
   */
  run: (statement: Sql | CompiledQuery, place: FaultPlace) => Promise<QueryResult<RawRow>>
  /** Runs several statements as one: all of them take effect or none. */
  atomically: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The text and parameters of a statement, to be run several times. */
  compile: (statement: Sql) => CompiledQuery
}

/** How many rows a statement changed. */
export function changedRows({ numAffectedRows }: QueryResult<RawRow>): number {
  return Number(numAffectedRows ?? 0)
}
