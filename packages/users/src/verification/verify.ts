import { randomBytes } from 'node:crypto'
import type { Model } from '@modelwire/core'
import { isPlainObject, repository, stateOf, typeOf } from '@modelwire/core/plugin'
import { MailNotConfigured } from '../errors.ts'
import type { MailMessage, SendMail } from '../options.ts'
import type { AccountParts } from '../accounts/account-parts.ts'
import { callOwnWithOptions } from '../accounts/call-own.ts'
import { callWithOptions } from './call-with-options.ts'
import { messageBody } from './message-body.ts'
import { methodIn, type Options, textOr, verifyLink, type VerifyOptions } from './verify-options.ts'

async function tokenFor(
  parts: AccountParts,
  user: Model,
  options: VerifyOptions,
  callOptions: Options
): Promise<string> {
  const own = methodIn(options, 'generateVerificationToken')
  const made =
    own === undefined
      ? await callOwnWithOptions(parts, typeOf(user).modelClass, 'generateVerificationToken', [user, callOptions])
      : await callWithOptions(parts, own, undefined, [user, callOptions])
  return textOr(made, newVerificationToken())
}

/** A new token that confirms an address. */
export function newVerificationToken(): string {
  return randomBytes(64).toString('hex')
}

/** What sends the message: a `mailer` of the options, else that of the application. @throws {MailNotConfigured} nothing does */
function senderOf(parts: AccountParts, user: Model, { mailer }: VerifyOptions, callOptions: Options): SendMail {
  const model = typeOf(user)
  const isOwn = typeof mailer === 'function' || isPlainObject(mailer)
  const own = isOwn ? methodIn({ send: Reflect.get(mailer, 'send') as unknown }, 'send') : undefined // read as a value
  if (own !== undefined) return (message) => callWithOptions(parts, own, mailer, [{ ...message, user }, callOptions])
  const send = parts.mailer(model)
  if (send !== undefined) return send
  parts.warn(
    `the address of a ${model.name} cannot be verified: nothing sends mail (option sendMail, or a mail data source)`
  )
  throw new MailNotConfigured('this server does not send mail')
}

/** What concerns `verify` alone and no mailer. */
const ownOptions: ReadonlySet<string> = new Set([
  'mailer',
  'template',
  'templateFn',
  'generateVerificationToken',
  'user'
])

async function messageOf(
  parts: AccountParts,
  user: Model,
  options: VerifyOptions,
  callOptions: Options
): Promise<MailMessage> {
  const body = await messageBody(parts, { ...options, user }, callOptions)
  const passed = Object.entries(options).filter(([name]) => !ownOptions.has(name))
  return {
    ...Object.fromEntries(passed),
    to: textOr(options['to'], textOr(user['email'], '')),
    from: textOr(options['from'], '') || parts.home().from,
    subject: textOr(options['subject'], 'Confirm your email address'),
    headers: options['headers'] ?? {},
    ...body
  }
}

/** LB3: a user who is not stored yet is stored with the token. */
async function storeToken(user: Model, token: string, callOptions: Options): Promise<void> {
  const [model, call] = [typeOf(user), { options: { ...callOptions } }]
  if (stateOf(user).persisted) await repository.patchInstance(model, user, { verificationToken: token }, call)
  else await repository.save(model, Object.assign(user, { verificationToken: token }), call)
}

/**
 * Sends a user a message with a link that confirms the address. Options of the application's own, such as `cc` or
 * `attachments`, reach the mailer.
 * @throws {MailNotConfigured} nothing sends messages
 * @see LoopBack 3: loopback, common/models/user.js, verify
 */
export async function verify(
  parts: AccountParts,
  user: Model,
  [verifyOptions, callOptions]: readonly unknown[]
): Promise<object> {
  const model = typeOf(user)
  const options = isPlainObject(verifyOptions) ? verifyOptions : {}
  const optionsOfCall = isPlainObject(callOptions) ? callOptions : {}
  const send = senderOf(parts, user, options, optionsOfCall)
  const token = await tokenFor(parts, user, options, optionsOfCall)
  await storeToken(user, token, optionsOfCall)
  const verifyHref = verifyLink(parts, user, token, options)
  const message = await messageOf(parts, user, { ...options, verifyHref, verificationToken: token }, optionsOfCall)
  return { email: await send(message), token, uid: repository.idOf(model, user) }
}
