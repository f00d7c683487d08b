import type { Model, ModelRegistry, ModelType } from '@modelwire/core'

/**
 * The user model that a token belongs to; undefined where it names one that does not exist.
 * @param model that of the tokens
 */
export function userModelOf(
  registry: ModelRegistry,
  model: ModelType,
  { principalType }: Model
): ModelType | undefined {
  const related = model.definition.relations?.['user']?.model
  return registry.find(typeof principalType === 'string' ? principalType : (related ?? 'User'))
}

/** LB3: a token of a user model that does not exist is not valid. */
function hasUserModel(registry: ModelRegistry, { principalType }: Model): boolean {
  return typeof principalType !== 'string' || registry.find(principalType) !== undefined
}

/**
 * Whether a token may be used at a time. One that lives for ever (`ttl` -1) may where the model of its user allows that.
 * @param now milliseconds since 1970
 */
export function isAlive(registry: ModelRegistry, model: ModelType, token: Model, now: number): boolean {
  const { ttl, created } = token
  if (!(created instanceof Date) || typeof ttl !== 'number' || !hasUserModel(registry, token)) return false
  if (ttl === -1) return Boolean(userModelOf(registry, model, token)?.definition['allowEternalTokens'])
  return ttl > 0 && (now - created.getTime()) / 1000 < ttl
}
