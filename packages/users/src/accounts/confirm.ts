import { type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import { isSameText } from '../applications/application-keys.ts'
import { UserNotFound, VerificationTokenInvalid } from '../errors.ts'
import type { AccountParts } from './account-parts.ts'
import { checkRedirect } from './confirm-redirect.ts'

/**
 * Confirms the address of a user by the token that was sent there.
 * @throws {RedirectRefused} the client would be sent to a foreign server
 * @throws {UserNotFound} no user has this id
 * @throws {VerificationTokenInvalid} the token is another one
 * @see LoopBack 3: loopback, common/models/user.js, confirm
 */
export async function confirm(
  { options }: Pick<AccountParts, 'options'>,
  model: ModelType,
  [uid, token, redirect]: readonly unknown[]
): Promise<void> {
  checkRedirect(redirect, model, options.confirmRedirects)
  const user = await repository.findById(model, uid, undefined, serverCall())
  if (user === null) throw new UserNotFound('unknown user')
  if (!isSameText(user['verificationToken'], token)) throw new VerificationTokenInvalid('the token is not valid')
  await repository.patchInstance(model, user, { verificationToken: null, emailVerified: true }, serverCall())
}
