import { DataSourceUnavailable } from '../errors.ts'
import { DatabaseFull, StatementTimeout, TransactionAborted, TransactionConflict } from './errors.ts'

/** Errors after which no database, or not every one, goes on with the transaction. */
export function isFatal(error: unknown): boolean {
  return [TransactionConflict, DataSourceUnavailable, StatementTimeout, DatabaseFull].some(
    (kind) => error instanceof kind
  )
}

/** What a transaction rejects with whose work did not mind that a statement failed. */
export function abortedBy(failure: unknown): unknown {
  if (isFatal(failure)) return failure
  return new TransactionAborted('a statement failed, and the database takes back its whole transaction', {
    cause: failure
  })
}
