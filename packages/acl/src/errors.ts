import { ApiError, DefinitionError } from '@modelwire/core'

/** The rules of the model do not allow the call to this caller: log in, or request a role. */
export class AuthorizationRequired extends ApiError.with({ code: 'AUTHORIZATION_REQUIRED', statusCode: 401 }) {}
/** The rules do not allow the call to a known caller, and `aclErrorStatus` or `errorStatus` is 403. */
export class AccessDenied extends ApiError.with({ code: 'ACCESS_DENIED', statusCode: 403 }) {}

/** A part of a client's request is denied; the message names it. */
abstract class PartDenied extends ApiError {
  override readonly statusCode: 401 | 403 = 401

  /** @param statusCode 403 for a known caller, where `aclErrorStatus` is 403 */
  constructor(message: string, statusCode: 401 | 403 = 401) {
    super(message)
    this.statusCode = statusCode
  }
}

/** An `include` names records that the caller may not read. 403 for a known caller, where `aclErrorStatus` is 403. */
export class IncludeDenied extends PartDenied.with({ code: 'INCLUDE_DENIED' }) {}
/** A filter uses related records that the caller may not list. 403 for a known caller, where `aclErrorStatus` is 403. */
export class FilterDenied extends PartDenied.with({ code: 'FILTER_DENIED' }) {}
/** A filter, order, include or data names a property that the caller may not read or set. 403 for a known caller, where `aclErrorStatus` is 403. */
export class PropertyDenied extends PartDenied.with({ code: 'PROPERTY_DENIED' }) {}
/** The `rows` function of an access rule threw (`cause`), or returned an invalid condition: no record is shown. */
export class RowsFailed extends ApiError.with({ code: 'ROWS_FAILED', statusCode: 500 }) {}
/** A check names an operation that is not mounted: write it as `Product.find` or `Product.prototype.patchAttributes`. */
export class UnknownOperation extends DefinitionError.with({ code: 'OPERATION_UNKNOWN' }) {}
/** An access rule names an unknown role, method, property or word. Applications of LoopBack start, and report it. */
export class InvalidAccessRule extends DefinitionError.with({ code: 'ACCESS_RULE_INVALID' }) {}
