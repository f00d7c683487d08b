import { type Awaitable, type Model, type ModelRegistry, type ModelType, repository } from '@modelwire/core'
import { AccessTokenInvalid } from '../errors.ts'
import type { UsersOptions } from '../options.ts'
import { cacheTokens, type FindToken } from './cache-tokens.ts'
import { isAlive } from './is-alive.ts'
import { renewToken } from './renew-token.ts'

/**
 * Gives the token with an id; undefined for an unknown one. One that has expired is removed. Gives no promise for a token
 * that is kept in memory.
 * @throws {AccessTokenInvalid} it has expired
 */
export type ReadToken = (id: string) => Awaitable<Model | undefined>

/** What reading tokens needs of the options. */
export type ReadingTokens = Pick<UsersOptions, 'tokenCacheAge' | 'tokenCacheSize' | 'renewTokens'>

/** How a token that was found is looked at each time it is used. */
type Check = (token: Model) => Awaitable<Model>

async function expire(model: ModelType, token: Model): Promise<never> {
  await repository.destroyById(model, repository.idOf(model, token), {})
  throw new AccessTokenInvalid('the access token has expired')
}

function makeCheck(registry: ModelRegistry, model: ModelType, renews: boolean): Check {
  return (token) => {
    const now = Date.now()
    if (!isAlive(registry, model, token, now)) return expire(model, token)
    return renews ? renewToken(registry, model, token, now) : token
  }
}

/**
 * Makes the function that finds tokens by their ids.
 * @see LoopBack 3: loopback, common/models/access-token.js, resolve
 */
export function tokenReader(
  registry: ModelRegistry,
  model: ModelType,
  { tokenCacheAge = 5, tokenCacheSize = 10_000, renewTokens = false }: ReadingTokens
): ReadToken {
  const check = makeCheck(registry, model, renewTokens)
  const load = async (id: string): Promise<Model | undefined> =>
    (await repository.findById(model, id, undefined, {})) ?? undefined
  const find: FindToken =
    tokenCacheAge === 0 ? load : cacheTokens({ model, load, maxAge: tokenCacheAge, size: tokenCacheSize })
  const checkLoaded = async (loading: Promise<Model | undefined>): Promise<Model | undefined> => {
    const token = await loading
    return token && check(token)
  }
  return (id) => {
    if (id === '') return undefined
    const token = find(id)
    return token instanceof Promise ? checkLoaded(token) : token && check(token)
  }
}
