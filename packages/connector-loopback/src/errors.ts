import { ApiError, DefinitionError } from '@modelwire/core'

// Those of all connectors.
export {
  ConstraintViolated,
  IsolationUnknown,
  TransactionConflict,
  TransactionOver,
  ValueRefused
} from '@modelwire/core/connector'

/** A module is not a LoopBack connector, or made none: it exports neither `initialize` nor a constructor. */
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
