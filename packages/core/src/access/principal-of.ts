import type { CallerId, Principal } from '../caller/principal.ts'
import { BareModel } from '../contract/bare-model.ts'
import { isPlainObject } from '../values/clone-plain.ts'

/** The parts of an access token that identify the caller. */
export interface TokenFacts {
  readonly userId?: unknown
  /** Name of the user model, where tokens belong to users of several models. */
  readonly principalType?: unknown
  readonly appId?: unknown
  readonly scopes?: unknown
}

const isFacts = (token: unknown): token is TokenFacts => token instanceof BareModel || isPlainObject(token)

/** Whom an access token stands for; undefined for what is not a token. */
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
