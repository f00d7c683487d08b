import { ModelNotFound, type Principal } from '@modelwire/core'
import type { AccessQuestion } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { AccessDenied, AuthorizationRequired, FilterDenied, IncludeDenied, PropertyDenied } from '../errors.ts'

/** Status of the response to a known caller whose access is denied. */
export type DenialStatus = 401 | 403 | 404

/** Creates the errors for denied access. */
export interface Denials {
  /** The error for a denied call, or denied records. */
  readonly ofRecords: (model: ModelType, principal: Principal | undefined) => Error
  readonly ofProperty: (model: ModelType, principal: Principal | undefined, message: string) => Error
  /** The error for a denied part of a read other than its own records. */
  readonly of: (model: ModelType, principal: Principal | undefined, purpose: AccessQuestion['purpose']) => Error
}

const isStatus = (value: unknown): value is DenialStatus => value === 401 || value === 403 || value === 404

const makers: Readonly<Record<DenialStatus, () => Error>> = {
  401: () => new AuthorizationRequired('Authorization Required'),
  403: () => new AccessDenied('Access Denied'),
  404: () => new ModelNotFound('could not find the model or method')
}

/**
 * Creates the errors for denied access in an application. Unknown callers get a 401; others the model's `aclErrorStatus`,
 * else the application's. None of them reveals anything about records.
 * @param defaultStatus the application's status
 */
export function makeDenials(defaultStatus: DenialStatus): Denials {
  const statusFor = (model: ModelType, principal: Principal | undefined): DenialStatus => {
    const own = model.definition['aclErrorStatus']
    if (principal === undefined) return 401
    return isStatus(own) ? own : defaultStatus
  }
  const partStatus = (model: ModelType, principal: Principal | undefined): 401 | 403 =>
    statusFor(model, principal) === 403 ? 403 : 401
  const ofRecords: Denials['ofRecords'] = (model, principal) => makers[statusFor(model, principal)]()
  return {
    ofRecords,
    ofProperty: (model, principal, message) => new PropertyDenied(message, partStatus(model, principal)),
    of: (model, principal, purpose) => {
      if (purpose !== 'include' && purpose !== 'filter') return ofRecords(model, principal)
      const [Denied, verb] = purpose === 'include' ? [IncludeDenied, 'include'] : [FilterDenied, 'filter by']
      return new Denied(`this client may not ${verb} records of ${model.name}`, partStatus(model, principal))
    }
  }
}
