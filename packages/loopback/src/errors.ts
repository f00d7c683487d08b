import { ApiError, DefinitionError } from '@modelwire/core'

/** The phases of a middleware file contradict the order of the previous phases. */
export class PhasesOutOfOrder extends DefinitionError {
  override readonly code = 'MIDDLEWARE_PHASES_OUT_OF_ORDER'
}

/** A script of the application cannot be loaded, or threw while the application was started: `cause` is its error. */
export class ScriptFailed extends DefinitionError {
  override readonly code = 'SCRIPT_FAILED'
}

/** A script uses an unsupported part of Express. */
export class ExpressNotSupported extends DefinitionError {
  override readonly code = 'EXPRESS_NOT_SUPPORTED'
}

/** A script passes an argument that the script API does not accept. */
export class ScriptArgumentInvalid extends DefinitionError {
  override readonly code = 'SCRIPT_ARGUMENT_INVALID'
}

/** A page is to be rendered, but the application has not set a view engine. */
export class ViewEngineMissing extends ApiError {
  override readonly code = 'VIEW_ENGINE_MISSING'
  override readonly statusCode = 500
}

/** Nothing answers a path outside of the REST API. */
export class UrlNotFound extends ApiError {
  override readonly code = 'URL_NOT_FOUND'
  override readonly statusCode = 404
  override readonly hidesCode = true
  /** LB3: shown with `debug`; pinned by errors/debug. */
  readonly status = 404
}

/** The path of a request cannot be decoded, or contains dot segments, which readers may interpret differently. */
export class RequestPathInvalid extends ApiError {
  override readonly code = 'REQUEST_PATH_INVALID'
  override readonly statusCode = 400
}

/** A connector is not named by a string, or its package exports none. */
export class UnknownConnector extends DefinitionError {
  override readonly code = 'CONNECTOR_UNKNOWN'
}

/** A script requires a part of LoopBack's packages that is not provided. */
export class ModuleNotProvided extends DefinitionError {
  override readonly code = 'MODULE_NOT_PROVIDED'
}

/** A script uses a member of LoopBack's objects that is not provided; the message names the replacement. */
export class MemberNotProvided extends DefinitionError {
  override readonly code = 'MEMBER_NOT_PROVIDED'
}

/** A model enables change tracking for replication. */
export class ReplicationNotProvided extends DefinitionError {
  override readonly code = 'REPLICATION_NOT_PROVIDED'
}

/** A script uses a transaction that was committed or rolled back, or that has timed out. */
export class TransactionNotActive extends ApiError {
  override readonly code = 'TRANSACTION_NOT_ACTIVE'
  override readonly statusCode = 500
}

/**
 * A hook of LoopBack 1 called `next` with something that is not an error: LoopBack then ends the call without doing
 * anything.
 */
export class HookEndedCall extends ApiError {
  override readonly code = 'HOOK_ENDED_CALL'
  override readonly statusCode = 500
}

/** A script checks a principal whose type is neither one of LoopBack's nor a model. */
export class PrincipalTypeInvalid extends ApiError {
  override readonly code = 'INVALID_PRINCIPAL_TYPE'
  override readonly statusCode = 400
}
