import type { Model } from '@modelwire/core'
import { isPlainObject, repository, serverCall, typeOf } from '@modelwire/core/plugin'
import type { AccountParts } from './account-parts.ts'
import { accountSettings } from './account-settings.ts'
import { tokensOf } from './token-model.ts'

/** Seconds that a token lives: what is requested, or the setting, and never more than the longest life. */
function lifeOf(requested: unknown, { ttl, maxTTL }: { readonly ttl: number; readonly maxTTL: number }): number {
  const wanted = Number(requested || ttl)
  return Math.min(Number.isNaN(wanted) ? ttl : wanted, maxTTL)
}

/**
 * Makes a token of a user: `(ttl)`, `(ttl, options)`, `(data, options)` or `(options)`.
 * @see LoopBack 3: loopback, common/models/user.js, createAccessToken
 */
export async function createAccessToken(
  { registry, options: { accessTokenModel } }: AccountParts,
  user: Model,
  args: readonly unknown[]
): Promise<Model> {
  const [first, options] = args
  const userModel = typeOf(user)
  const { model, foreignKey, discriminator } = tokensOf(registry, userModel, accessTokenModel)
  const data = isPlainObject(first) && options !== undefined ? first : {}
  const requested = isPlainObject(first) ? data['ttl'] : first
  const token = {
    ...data,
    ttl: lifeOf(requested, accountSettings(userModel)),
    [foreignKey]: repository.idOf(userModel, user),
    ...(discriminator === undefined ? {} : { [discriminator]: userModel.name })
  }
  return repository.create(model, token, serverCall())
}
