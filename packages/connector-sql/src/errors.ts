import { ApiError, DataSourceUnavailable } from '@modelwire/core'

/** A number would not be stored as it is: its column holds exact numbers, and fewer digits than it has. */
export class NumberNotExact extends ApiError {
  override readonly code = 'NUMBER_NOT_EXACT'
  override readonly statusCode = 422
}

/** A prepared statement is missing on the connection, or its table has changed: nothing was executed, another try may work. */
export class StatementOutdated extends DataSourceUnavailable {}

/** Records are to be locked outside of a transaction: the lock would end with the statement. */
export class LockOutsideTransaction extends ApiError {
  override readonly code = 'LOCK_OUTSIDE_TRANSACTION'
  override readonly statusCode = 500
}

/** The database has no table, or no column, for a model: it was not migrated. */
export class SchemaMissing extends ApiError {
  override readonly code = 'DATABASE_SCHEMA_MISSING'
  override readonly statusCode = 500
}

/** A record has undeclared properties, and its table has no column that could hold them. */
export class UndeclaredNotStored extends ApiError {
  override readonly code = 'UNDECLARED_NOT_STORED'
  override readonly statusCode = 422
}
