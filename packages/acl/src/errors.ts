import { ApiError, DefinitionError } from '@modelwire/core'

/** The caller may not make this call: 401 as LoopBack answers, with or without a token. */
export class AuthorizationRequired extends ApiError {
  override readonly code = 'AUTHORIZATION_REQUIRED'
  override readonly statusCode = 401
}

/** The caller is known and may not make this call, where `aclErrorStatus` is 403. */
export class AccessDenied extends ApiError {
  override readonly code = 'ACCESS_DENIED'
  override readonly statusCode = 403
}

/** A part of a client's request is denied; the message names it. */
abstract class PartDenied extends ApiError {
  override readonly statusCode: number = 401

  /** @param statusCode 403 for a known caller, where `aclErrorStatus` is 403 */
  constructor(message: string, statusCode: 401 | 403 = 401) {
    super(message)
    this.statusCode = statusCode
  }
}

/** An `include` names a relation whose records the caller may not read. 403 where `aclErrorStatus` is 403. */
export class IncludeDenied extends PartDenied {
  override readonly code = 'INCLUDE_DENIED'
}

/** A filter reaches into related records that the caller may not list. 403 where `aclErrorStatus` is 403. */
export class FilterDenied extends PartDenied {
  override readonly code = 'FILTER_DENIED'
}

/** The caller may not read, set, filter or order by a property. 403 where `aclErrorStatus` is 403. */
export class PropertyDenied extends PartDenied {
  override readonly code = 'PROPERTY_DENIED'
}

/** The function that a rule has in `rows` failed, or gave what is not a condition: nothing is shown. */
export class RowsFailed extends ApiError {
  override readonly code = 'ROWS_FAILED'
  override readonly statusCode = 500
}

/** A question names an operation that is not mounted. */
export class UnknownOperation extends DefinitionError {
  override readonly code = 'OPERATION_UNKNOWN'
}

/** An access rule cannot be obeyed: it names a role, method, property or word that does not exist. */
export class InvalidAccessRule extends DefinitionError {
  override readonly code = 'ACCESS_RULE_INVALID'
}
