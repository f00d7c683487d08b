import { Model } from '@modelwire/core'
import { type CallerCheck, type ModelType, repository, typeOf } from '@modelwire/core/plugin'
import { AccessTokenInvalid } from '../errors.ts'
import type { ReadToken } from './read-token.ts'

/**
 * Makes the check that the token of a long call, such as a stream, is still valid.
 * @throws {AccessTokenInvalid} (the function) it was removed or has expired
 */
export function callerCheck(tokenModel: () => ModelType, read: ReadToken): CallerCheck {
  return async ({ options }) => {
    const { accessToken } = options
    const model = tokenModel()
    // Tokens of others, such as those of an authorization server, are checked by them.
    if (!(accessToken instanceof Model) || typeOf(accessToken) !== model) return
    const token = await read(String(repository.idOf(model, accessToken)))
    if (token === undefined) throw new AccessTokenInvalid('the access token was removed')
  }
}
