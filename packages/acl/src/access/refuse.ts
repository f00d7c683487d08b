import { ModelNotFound, type OperationContext } from '@modelwire/core'
import { AccessDenied, AuthorizationRequired } from '../errors.ts'

type Status = 401 | 403 | 404

const denials: Readonly<Record<Status, () => Error>> = {
  401: () => new AuthorizationRequired('Authorization Required'),
  403: () => new AccessDenied('Access Denied'),
  404: () => new ModelNotFound('could not find the model or method')
}

const isStatus = (value: unknown): value is Status => value === 401 || value === 403 || value === 404

/**
 * Makes the error of a call that may not go on. Whoever is unknown gets a 401; others what the model's `aclErrorStatus`
 * asks for, else the application.
 */
export function denialOf({ operation, principal }: OperationContext, usual: Status): Error {
  if (principal === undefined) return denials[401]()
  const own = operation.model.definition['aclErrorStatus']
  return denials[isStatus(own) ? own : usual]()
}
