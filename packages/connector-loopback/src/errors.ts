import { ApiError, DefinitionError } from '@modelwire/core'

// Those of all connectors.
export {
  ConstraintViolated,
  IsolationUnknown,
  TransactionConflict,
  TransactionOver,
  ValueRefused
} from '@modelwire/core/connector'

/** The module of a LoopBack connector exports neither `initialize` nor a constructor, or created no connector. */
export class ConnectorInvalid extends DefinitionError.with({ code: 'CONNECTOR_INVALID' }) {}
/** A connector written for LoopBack failed without a status; the message and `cause` say why. */
export class ConnectorFailed extends ApiError.with({ code: 'CONNECTOR_FAILED', statusCode: 500 }) {}
/** A connector written for LoopBack did not call back within `callTimeout`. Its work may still complete. */
export class ConnectorTimeout extends ApiError.with({ code: 'CONNECTOR_TIMEOUT', statusCode: 503 }) {}
