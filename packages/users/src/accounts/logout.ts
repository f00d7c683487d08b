import { type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import { LogoutWithoutToken } from '../errors.ts'
import type { AccountParts } from './account-parts.ts'
import { tokensOf } from './token-model.ts'

/**
 * Ends the life of a token.
 * @throws {LogoutWithoutToken} there is none with this id
 * @see LoopBack 3: loopback, common/models/user.js, logout
 */
export async function logout(
  { registry, options: { accessTokenModel } }: AccountParts,
  userModel: ModelType,
  id: unknown
): Promise<void> {
  if (typeof id !== 'string' || id === '') throw new LogoutWithoutToken('a token is required to log out')
  const { model } = tokensOf(registry, userModel, accessTokenModel)
  const { count } = await repository.destroyById(model, id, serverCall())
  if (count === 0) throw new LogoutWithoutToken('unknown access token')
}
