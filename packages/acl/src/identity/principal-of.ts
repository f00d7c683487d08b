import { isPlainObject, Model, type Principal } from '@modelwire/core'

/** What of an access token says who calls. */
export interface TokenFacts {
  readonly userId?: unknown
  /** Name of the user model, where tokens belong to users of several models. */
  readonly principalType?: unknown
  readonly appId?: unknown
  readonly scopes?: unknown
}

const isFacts = (token: unknown): token is TokenFacts => token instanceof Model || isPlainObject(token)

/** Whom an access token stands for; undefined for what is no token. */
export function principalOf(token: unknown): Principal | undefined {
  if (!isFacts(token)) return undefined
  const { userId, principalType, appId, scopes } = token
  return {
    userId: userId ?? undefined,
    userModel: typeof principalType === 'string' ? principalType : undefined,
    appId: appId ?? undefined,
    // LB3: a list that is empty shares nothing; pinned by users/scopes
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : undefined
  }
}
