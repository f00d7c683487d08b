import type { Model } from '@modelwire/core'
import { compileOptionalWhere, type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import type { AccountParts } from './account-parts.ts'
import { accountSettings } from './account-settings.ts'

/**
 * Hashes a password again that just proved to be right, where its hash is not of the form that new ones have. Neither
 * do observers run nor do sessions end: the password stays the same. One that was changed meanwhile stays as it is.
 */
export async function rehashPassword(
  { passwords }: Pick<AccountParts, 'passwords'>,
  model: ModelType,
  user: Model,
  password: unknown
): Promise<void> {
  const { password: stored } = user
  const { saltWorkFactor } = accountSettings(model)
  if (typeof password !== 'string' || typeof stored !== 'string' || !passwords.isOutdated(stored, saltWorkFactor))
    return
  const { collection, dataSource } = model
  if (collection === undefined || dataSource?.connector.capabilities.operations.has('update') !== true) return
  const hashed = await passwords.hash(password, saltWorkFactor)
  const where = compileOptionalWhere(
    model,
    { ...repository.whereId(model, repository.idOf(model, user)), password: stored },
    serverCall()
  )
  if ((await collection.update(where, { password: hashed })) > 0) user['password'] = hashed
}
