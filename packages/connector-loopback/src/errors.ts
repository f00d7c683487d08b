import { ApiError, BadRequest, DefinitionError } from '@modelwire/core'

/** A module is no LoopBack connector, or made none: it neither exports `initialize` nor a constructor. */
export class ConnectorInvalid extends DefinitionError {
  override readonly code = 'CONNECTOR_INVALID'
}

/** A LoopBack connector failed for a reason that is not the caller's: `cause` is its error. */
export class ConnectorFailed extends ApiError {
  override readonly code = 'CONNECTOR_FAILED'
  override readonly statusCode = 500
}

/** A LoopBack connector did not call back in time. What it was to do may be done all the same. */
export class ConnectorTimeout extends ApiError {
  override readonly code = 'CONNECTOR_TIMEOUT'
  override readonly statusCode = 503
}

/** The database refuses a value: it does not fit its column. */
export class ValueRefused extends BadRequest {
  override readonly code = 'VALUE_REFUSED'
  override readonly hidesCode = false
}

/** A rule of the database does not hold for a record: a foreign key, a column that must not be null, a check. */
export class ConstraintViolated extends ApiError {
  override readonly code = 'CONSTRAINT_VIOLATED'
  override readonly statusCode = 422
}

/** Another transaction changed the same records. */
export class TransactionConflict extends ApiError {
  override readonly code = 'TRANSACTION_CONFLICT'
  override readonly statusCode = 409
}

/** Work reached a transaction that was committed or rolled back. */
export class TransactionOver extends ApiError {
  override readonly code = 'TRANSACTION_OVER'
  override readonly statusCode = 500
}

/** There is no such level of isolation. */
export class IsolationUnknown extends ApiError {
  override readonly code = 'ISOLATION_LEVEL_UNKNOWN'
  override readonly statusCode = 500
}
