import { type Model, type ModelRegistry, type ModelType, repository } from '@modelwire/core'
import { AccessTokenInvalid } from '../errors.ts'

/** True for a token that may live for ever, where the model of its user allows that. */
function mayBeEternal(registry: ModelRegistry, tokenModel: ModelType, token: Model): boolean {
  const { principalType } = token
  const related = tokenModel.definition.relations?.['user']?.model
  const name = typeof principalType === 'string' ? principalType : (related ?? 'User')
  return Boolean(registry.find(name)?.definition['allowEternalTokens'])
}

/** LB3: a token of a user model that does not exist is not valid. */
function hasUserModel(registry: ModelRegistry, { principalType }: Model): boolean {
  return typeof principalType !== 'string' || registry.find(principalType) !== undefined
}

function isAlive(registry: ModelRegistry, model: ModelType, token: Model, now: number): boolean {
  const { ttl, created } = token
  if (!(created instanceof Date) || typeof ttl !== 'number' || !hasUserModel(registry, token)) return false
  if (ttl === -1) return mayBeEternal(registry, model, token)
  return ttl > 0 && (now - created.getTime()) / 1000 < ttl
}

/**
 * The token with this id; undefined for an unknown one. One that has expired is removed.
 * @throws {AccessTokenInvalid} it has expired
 * @see LoopBack 3: loopback, common/models/access-token.js, resolve
 */
export async function readToken(registry: ModelRegistry, model: ModelType, id: string): Promise<Model | undefined> {
  if (id === '') return undefined
  const token = await repository.findById(model, id, undefined, {})
  if (token === null) return undefined
  if (isAlive(registry, model, token, Date.now())) return token
  await repository.destroyById(model, id, {})
  throw new AccessTokenInvalid('the access token has expired')
}
