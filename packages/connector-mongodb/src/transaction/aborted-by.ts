import {
  DatabaseFull,
  DataSourceUnavailable,
  StatementTimeout,
  TransactionAborted,
  TransactionConflict
} from '@modelwire/core'

/** What a transaction rejects with whose work did not mind that a command failed: the server has taken it back by then. */
export function abortedBy(failure: unknown): unknown {
  const isFatal = [TransactionConflict, DataSourceUnavailable, StatementTimeout, DatabaseFull].some(
    (kind) => failure instanceof kind
  )
  if (isFatal) return failure
  return new TransactionAborted('a command failed, and the database takes back its whole transaction', {
    cause: failure
  })
}
