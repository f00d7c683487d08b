import { randomBytes } from 'node:crypto'
import { isPlainObject, type Model, repository, serverCall, typeOf } from '@modelwire/core'
import { MailNotConfigured } from '../errors.ts'
import type { MailMessage, SendMail } from '../options.ts'
import type { AccountParts } from '../accounts/account-parts.ts'
import { callOwn } from '../accounts/call-own.ts'
import { callWithOptions } from './call-with-options.ts'
import { messageBody } from './message-body.ts'
import { methodIn, textOr, verifyLink, type VerifyOptions } from './verify-options.ts'

async function tokenFor(parts: AccountParts, user: Model, options: VerifyOptions): Promise<string> {
  const own = methodIn(options, 'generateVerificationToken')
  const made =
    own === undefined
      ? await callOwn(parts, typeOf(user).modelClass, 'generateVerificationToken', [user, {}])
      : await callWithOptions(parts, own, undefined, user)
  return textOr(made, newVerificationToken())
}

/** A new token that confirms an address. */
export function newVerificationToken(): string {
  return randomBytes(64).toString('hex')
}

/** What sends the message: a `mailer` of the options, else that of the application. @throws {MailNotConfigured} nothing does */
function senderOf(parts: AccountParts, user: Model, { mailer }: VerifyOptions): SendMail {
  const model = typeOf(user)
  const isOwn = typeof mailer === 'function' || isPlainObject(mailer)
  const own = isOwn ? methodIn({ send: Reflect.get(mailer, 'send') as unknown }, 'send') : undefined // read as a value
  if (own !== undefined) return (message) => callWithOptions(parts, own, mailer, { ...message, user })
  const send = parts.mailer(model)
  if (send !== undefined) return send
  parts.warn(
    `the address of a ${model.name} cannot be verified: nothing sends mail (option sendMail, or a mail data source)`
  )
  throw new MailNotConfigured('this server sends no mail')
}

/** What concerns `verify` alone and no mailer. */
const ownOptions: ReadonlySet<string> = new Set([
  'mailer',
  'template',
  'templateFn',
  'generateVerificationToken',
  'user'
])

async function messageOf(parts: AccountParts, user: Model, options: VerifyOptions): Promise<MailMessage> {
  const body = await messageBody(parts, { ...options, user })
  const passed = Object.entries(options).filter(([name]) => !ownOptions.has(name))
  return {
    ...Object.fromEntries(passed),
    to: textOr(options['to'], textOr(user['email'], '')),
    from: textOr(options['from'], 'noreply@example.com'),
    subject: textOr(options['subject'], 'Confirm your email address'),
    headers: options['headers'] ?? {},
    ...body
  }
}

/**
 * Sends a user a message with a link that confirms the address. Options of the application's own, such as `cc` or
 * `attachments`, reach the mailer.
 * @throws {MailNotConfigured} nothing sends messages
 * @see LoopBack 3: loopback, common/models/user.js, verify
 */
export async function verify(parts: AccountParts, user: Model, given: unknown): Promise<object> {
  const model = typeOf(user)
  const options = isPlainObject(given) ? given : {}
  const send = senderOf(parts, user, options)
  const token = await tokenFor(parts, user, options)
  await repository.patchInstance(model, user, { verificationToken: token }, serverCall())
  const verifyHref = verifyLink(parts, user, token, options)
  const message = await messageOf(parts, user, { ...options, verifyHref, verificationToken: token })
  return { email: await send(message), token, uid: repository.idOf(model, user) }
}
