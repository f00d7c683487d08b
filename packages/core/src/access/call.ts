import { currentCaller, type CallerId, type Principal } from '../caller/caller.ts'
import type { Call, Options } from '../contract/call.ts'
import { BareModel } from '../contract/model-instance.ts'
import { isPlainObject, type Awaitable } from '@modelwire/server'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/access-control.ts'

/** The parts of an access token that identify the caller. */
export interface TokenFacts {
  readonly userId?: unknown
  /** Name of the user model, if tokens belong to users of several models. */
  readonly principalType?: unknown
  readonly appId?: unknown
  readonly scopes?: unknown
}

const isFacts = (token: unknown): token is TokenFacts => token instanceof BareModel || isPlainObject(token)

const actsFor: unique symbol = Symbol('client of the call')

/** A call by the server itself, without a client. */
export const serverCall = (): Call => ({ options: {}, byServer: true })

/**
 * The call that application code makes with these options; without any, those of the current request apply. It acts for a
 * client only if the options are those of {@link optionsFor}.
 */
export function callOf(options: Options = currentCaller()): Call {
  if (!(actsFor in options)) return { options }
  const { [actsFor]: behind, ...own } = options as Options & { readonly [actsFor]?: Call } // only this module has this key
  return { options: own, client: behind?.client, grant: behind?.grant }
}

/**
 * The options for an application function that replaces a built-in operation: data access that it passes them to acts for
 * the client, as the operation would have. So do copies of them.
 */
export function optionsFor({ options, client, grant }: Call): Options {
  return client === undefined ? options : Object.assign({ ...options }, { [actsFor]: { client, grant } })
}

/** A copy of the call without its client, for an internal step: it is not restricted, and hooks receive the same options. */
export function asServer({ options }: Call): Call {
  return { options: options.prohibitHiddenPropertiesInQuery === true ? withoutCheck(options) : options, byServer: true }
}

const withoutCheck = (options: Options): Options => ({ ...options, prohibitHiddenPropertiesInQuery: false })

/** A copy of the call that marks its data as already checked. */
export const acceptedCall = ({ options, client, grant }: Call): Call => ({ options, client, grant, isAccepted: true })

/** A copy of the call for reading records that are embedded in others. */
export function readingWithin(call: Call): Call {
  const { options, client, byServer } = call
  return {
    options,
    client,
    within: true,
    ...(byServer && { byServer }),
    // Read only by connectors that listen to it: most do not.
    get signal() {
      return call.signal
    }
  }
}

/** The principal of an access token; undefined if it is not a token. */
export function principalOf(token: unknown): Principal | undefined {
  if (!isFacts(token)) return undefined
  const { userId, principalType, appId, scopes } = token
  return {
    // Ids have the type that the property of the user model declares.
    userId: (userId ?? undefined) as CallerId | undefined,
    userModel: typeof principalType === 'string' ? principalType : undefined,
    appId: appId ?? undefined,
    // LB3: a list that is empty shares nothing; pinned by users/scopes
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : undefined
  }
}

/**
 * The restriction of a read or write of the current operation; undefined: no restriction applies, to code or to this
 * client.
 */
export function restrictionFor(model: ModelType, call: Call, method: string): Awaitable<Restriction | undefined> {
  const { client, grant } = call
  if (client === undefined) return undefined
  if (grant !== undefined && (grant.model ?? model) === model) return grant.restriction
  return model.registry.accessControl?.restrict({ client, model, method, purpose: 'operation' })
}

/**
 * A copy of the call for records of another model that a relation's route needs, such as those of a through model, with the
 * client's rights there.
 * @throws the error that access control refuses the client with
 */
export async function nestedCall(call: Call, model: ModelType, method: string): Promise<Call> {
  const { client } = call
  if (client === undefined || model.registry.accessControl === undefined) return call
  const restriction = await model.registry.accessControl.restrict({ client, model, method, purpose: 'nested' })
  return { options: call.options, client, grant: { model, restriction } }
}
