import { timingSafeEqual } from 'node:crypto'
import { type ModelType, type OperationContext, repository } from '@modelwire/core'
import { UserNotFound, VerificationTokenInvalid } from '../errors.ts'

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a === '') return false
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Confirms the address of a user by the token that was sent there.
 * @throws {UserNotFound} no user has this id
 * @throws {VerificationTokenInvalid} the token is another one
 * @see LoopBack 3: loopback, common/models/user.js, confirm
 */
export async function confirm(model: ModelType, uid: unknown, token: unknown): Promise<void> {
  const user = await repository.findById(model, uid, undefined, {})
  if (user === null) throw new UserNotFound('there is no such user')
  if (!isSame(user['verificationToken'], token)) throw new VerificationTokenInvalid('the token is not valid')
  await repository.patchInstance(model, user, { verificationToken: null, emailVerified: true }, {})
}

/** Sends a client that confirmed on to where it wants to go. */
export function redirectConfirmed(context: OperationContext): void {
  const { redirect } = context.args
  if (typeof redirect !== 'string') return
  context.status = 302
  const location = redirect.replace(/[^\u0021-\u007e]+/gu, encodeURIComponent)
  context.headers = { ...context.headers, location }
}
