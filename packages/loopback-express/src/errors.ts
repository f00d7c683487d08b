import { ApiError, DefinitionError } from '@modelwire/core'

/** The phases of a middleware file contradict the order of the phases before them. */
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

/** A script passes something that the script API does not take. */
export class ScriptArgumentInvalid extends DefinitionError {
  override readonly code = 'SCRIPT_ARGUMENT_INVALID'
}

/** A page is to be rendered, and the application has set no view engine. */
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

/** The path of a request cannot be decoded, or has segments of dots, which those who read it understand differently. */
export class RequestPathInvalid extends ApiError {
  override readonly code = 'REQUEST_PATH_INVALID'
  override readonly statusCode = 400
}
