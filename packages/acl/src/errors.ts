import { ApiError, DefinitionError } from '@modelwire/core'

/** The caller may not make this call: 401 as LoopBack answers, with or without a token. */
export class AuthorizationRequired extends ApiError {
  override readonly code = 'AUTHORIZATION_REQUIRED'
  override readonly statusCode = 401
}

/** The caller is known and may not make this call, where `aclErrorStatus` asks for 403. */
export class AccessDenied extends ApiError {
  override readonly code = 'ACCESS_DENIED'
  override readonly statusCode = 403
}

/** An `include` names a relation whose records the caller may not read. */
export class IncludeDenied extends ApiError {
  override readonly code = 'INCLUDE_DENIED'
  override readonly statusCode = 401
}

/** A filter reaches into related records that the caller may not list: which rows match would tell of them. */
export class FilterDenied extends ApiError {
  override readonly code = 'FILTER_DENIED'
  override readonly statusCode = 401
}

/** The function that a rule has in `rows` failed, or gave what is no condition: nothing is shown. */
export class RowsFailed extends ApiError {
  override readonly code = 'ROWS_FAILED'
  override readonly statusCode = 500
}

/** A question names an operation that is not mounted. */
export class UnknownOperation extends DefinitionError {
  override readonly code = 'OPERATION_UNKNOWN'
}
