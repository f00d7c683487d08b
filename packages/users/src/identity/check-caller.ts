import { Model } from '@modelwire/core'
import { type CallerCheck, type ModelType, repository, typeOf } from '@modelwire/core/plugin'
import { AccessTokenInvalid } from '../errors.ts'
import type { ReadToken } from './read-token.ts'

/**
 * Makes the function that says whether the token of a call that goes on, such as a stream, is still good.
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
