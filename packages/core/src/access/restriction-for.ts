import type { Call } from '../contract/call.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { Awaitable } from '../values/awaitable.ts'

/**
 * The restriction of a read or write of the current operation; undefined: code may do everything, and so may this
 * client.
 */
export function restrictionFor(model: ModelType, call: Call, method: string): Awaitable<Restriction | undefined> {
  const { client, grant } = call
  if (client === undefined) return undefined
  if (grant !== undefined && (grant.model ?? model) === model) return grant.restriction
  return model.registry.accessControl?.restrict({ client, model, method, purpose: 'operation' })
}

/**
 * A copy of the call for records of another model that the route of a relation needs, such as those of a model between,
 * with the client's rights there.
 * @throws the error that access control refuses the client with
 */
export async function nestedCall(call: Call, model: ModelType, method: string): Promise<Call> {
  const { client } = call
  if (client === undefined || model.registry.accessControl === undefined) return call
  const restriction = await model.registry.accessControl.restrict({ client, model, method, purpose: 'nested' })
  return { options: call.options, client, grant: { model, restriction } }
}
