import type { Model } from '@modelwire/core'
import { type Awaitable, type Registry, type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import { AccessTokenInvalid } from '../errors.ts'
import type { UsersSettings } from '../options.ts'
import { cacheTokens, type FindToken } from './cache-tokens.ts'
import { isAlive } from './is-alive.ts'
import { renewToken } from './renew-token.ts'

/**
 * Gives the token with an id; undefined for an unknown one. One that has expired is removed. Gives no promise for a token
 * that is kept in memory.
 * @throws {AccessTokenInvalid} it has expired
 */
export type ReadToken = (id: string) => Awaitable<Model | undefined>

/** The options that reading tokens depends on. */
export type ReadingTokens = Pick<UsersSettings, 'tokenCacheAge' | 'tokenCacheSize' | 'renewTokens' | 'maxSessionAge'>

/** How a token that was found is looked at each time it is used. */
type Check = (token: Model) => Awaitable<Model>

/** Reads a token from the database. */
type Load = (id: string) => Promise<Model | undefined>

function makeCheck(registry: Registry, model: ModelType, load: Load, options: ReadingTokens): Check {
  const { renewTokens, maxSessionAge } = options
  const isGood = (token: Model, now: number): boolean => isAlive(registry, model, token, now, maxSessionAge)
  // What is kept in memory may have been renewed by another process since.
  const expire = async (id: unknown): Promise<Model> => {
    const stored = await load(String(id))
    if (stored !== undefined && isGood(stored, Date.now())) return stored
    await repository.destroyById(model, id, serverCall())
    throw new AccessTokenInvalid('the access token has expired')
  }
  return (token) => {
    const now = Date.now()
    if (!isGood(token, now)) return expire(repository.idOf(model, token))
    return renewTokens ? renewToken(registry, model, token, now, maxSessionAge !== undefined) : token
  }
}

/**
 * Makes the function that finds tokens by their ids.
 * @see LoopBack 3: loopback, common/models/access-token.js, resolve
 */
export function tokenReader(registry: Registry, model: ModelType, options: ReadingTokens): ReadToken {
  const { tokenCacheAge, tokenCacheSize } = options
  const load: Load = async (id) => (await repository.findById(model, id, undefined, serverCall())) ?? undefined
  const check = makeCheck(registry, model, load, options)
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
