import { Model } from '@modelwire/core'
import { type Registry, repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { AccessTokenInvalid } from '../errors.ts'
import type { UsersSettings } from '../options.ts'
import { cacheTokens, type FindToken } from './cache-tokens.ts'
import { accountSettings } from '../accounts/account-settings.ts'

/** Property of a renewed token: the start of its session. Set if sessions have a maximum age. */
export const sessionStart = 'sessionStart'

/** The token of a call, as hooks and methods find it in the options of the call. */
export interface AccessToken {
  readonly id: string
  /** Seconds. */
  readonly ttl: number
  readonly created: Date
  readonly userId: unknown
  readonly scopes?: readonly string[] | undefined
  /** Name of the user model, if there are several. */
  readonly principalType?: string | undefined
}

/**
 * Returns the token with an id; undefined for an unknown one. An expired one is removed. Returns no promise for a cached
 * token.
 * @throws {AccessTokenInvalid} it has expired
 */
export type ReadToken = (id: string) => Awaitable<Model | undefined>

/** The options that reading tokens depends on. */
export type ReadingTokens = Pick<UsersSettings, 'tokenCacheAge' | 'tokenCacheSize' | 'renewTokens' | 'maxSessionAge'>

/** How a found token is checked each time it is used. */
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
 * Makes the function that finds tokens by id.
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

/** Only its lifetime distinguishes the token of a reset: one that lives no longer may be one. */
function outlivesResets(registry: Registry, model: ModelType, token: Model): boolean {
  const userModel = userModelOf(registry, model, token)
  return userModel !== undefined && Number(token['ttl']) > accountSettings(userModel).resetPasswordTokenTTL
}

function isInSecondHalf({ ttl, created }: Model, now: number): boolean {
  return created instanceof Date && (now - created.getTime()) / 1000 >= Number(ttl) / 2
}

async function startAnew(model: ModelType, token: Model, now: number, keepsStart: boolean): Promise<Model> {
  const created = new Date(now)
  const began = keepsStart ? { [sessionStart]: token[sessionStart] ?? token['created'] } : {}
  // The condition includes the old time: a token that ended meanwhile stays ended, and of several requests one writes.
  const where = { ...repository.whereId(model, repository.idOf(model, token)), created: token['created'] }
  const { count } = await repository.updateAll(model, where, { created, ...began }, serverCall())
  if (count > 0) Object.assign(token, { created, ...began })
  return token
}

/**
 * A token whose life starts anew when it is used in its second half, so that a session is written once in half of its life.
 * Gives no promise for one that stays as it is.
 * @param now milliseconds since 1970
 * @param keepsStart notes when the session began
 */
function renewToken(
  registry: Registry,
  model: ModelType,
  token: Model,
  now: number,
  keepsStart: boolean
): Awaitable<Model> {
  if (!isInSecondHalf(token, now) || !isOfSession(token) || !outlivesResets(registry, model, token)) return token
  return startAnew(model, token, now, keepsStart)
}

/** The token in the options of a call; undefined for a call without one. */
export function accessTokenOf(options: Readonly<Record<string, unknown>>): AccessToken | undefined {
  const { accessToken } = options
  // The model of tokens declares these properties.
  return accessToken instanceof Model ? (accessToken as unknown as AccessToken) : undefined
}

/**
 * The user model that a token belongs to; undefined where it names one that does not exist.
 * @param model that of the tokens
 */
function userModelOf(registry: Registry, model: ModelType, { principalType }: Model): ModelType | undefined {
  if (typeof principalType === 'string') return registry.find(principalType)
  return model.relations.get('user')?.to ?? registry.find('User')
}

/** LB3: a token of a user model that does not exist is not valid. */
function hasUserModel(registry: Registry, { principalType }: Model): boolean {
  return typeof principalType !== 'string' || registry.find(principalType) !== undefined
}

/** Tokens of a session: those with scopes are meant for one thing, and those without an end for machines. */
function isOfSession({ ttl, scopes }: Model): boolean {
  return typeof ttl === 'number' && ttl > 0 && (scopes === undefined || scopes === null)
}

/** Whether a session has lasted too long, however often its token was renewed. */
function isOverdue(token: Model, now: number, maxSessionAge: number): boolean {
  if (maxSessionAge === Infinity || !isOfSession(token)) return false
  const began = token[sessionStart] ?? token['created']
  return !(began instanceof Date) || (now - began.getTime()) / 1000 >= maxSessionAge
}

/**
 * Whether a token is valid at a time. One that never expires (`ttl` -1) is if the model of its user allows that.
 * @param now milliseconds since 1970
 * @param maxSessionAge seconds that a session lasts at most
 */
export function isAlive(
  registry: Registry,
  model: ModelType,
  token: Model,
  now: number,
  maxSessionAge = Infinity
): boolean {
  const { ttl, created } = token
  if (!(created instanceof Date) || typeof ttl !== 'number' || !hasUserModel(registry, token)) return false
  if (isOverdue(token, now, maxSessionAge)) return false
  if (ttl === -1) return Boolean(userModelOf(registry, model, token)?.definition['allowEternalTokens'])
  return ttl > 0 && (now - created.getTime()) / 1000 < ttl
}
