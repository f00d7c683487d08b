import type { Model } from '@modelwire/core'
import type { Registry, ModelType } from '@modelwire/core/plugin'

/**
 * The user model that a token belongs to; undefined where it names one that does not exist.
 * @param model that of the tokens
 */
export function userModelOf(registry: Registry, model: ModelType, { principalType }: Model): ModelType | undefined {
  if (typeof principalType === 'string') return registry.find(principalType)
  return model.relations.get('user')?.to ?? registry.find('User')
}

/** LB3: a token of a user model that does not exist is not valid. */
function hasUserModel(registry: Registry, { principalType }: Model): boolean {
  return typeof principalType !== 'string' || registry.find(principalType) !== undefined
}

/** Property of a renewed token: when its session began. It is there where sessions have a greatest age. */
export const sessionStart = 'sessionStart'

/** Tokens of a session: those with scopes are meant for one thing, and those without an end for machines. */
export function isOfSession({ ttl, scopes }: Model): boolean {
  return typeof ttl === 'number' && ttl > 0 && (scopes === undefined || scopes === null)
}

/** Whether a session has lasted too long, however often its token was renewed. */
function isOverdue(token: Model, now: number, maxSessionAge: number): boolean {
  if (maxSessionAge === Infinity || !isOfSession(token)) return false
  const began = token[sessionStart] ?? token['created']
  return !(began instanceof Date) || (now - began.getTime()) / 1000 >= maxSessionAge
}

/**
 * Whether a token may be used at a time. One that lives for ever (`ttl` -1) may where the model of its user allows that.
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
