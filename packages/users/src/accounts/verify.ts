import { randomBytes } from 'node:crypto'
import type { Model } from '@modelwire/core'
import { repository, stateOf, typeOf } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { MailNotConfigured } from '../errors.ts'
import type { MailMessage, SendMail } from '../options.ts'
import { type AccountParts, callOwnWithOptions, callWithOptions } from './account-parts.ts'
import { methodIn, type Options, textOr, verifyLink, type VerifyOptions } from './verify-options.ts'
import { resolve } from 'node:path'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const defaultText = 'Confirm your email address by opening this link:\n{href}'

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

/** A new token that confirms an email address. */
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
 * Sends a user a message with a link that confirms the email address. Custom options, such as `cc` or `attachments`, are
 * passed to the mailer.
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}

/** Renders a template. EJS is loaded for the first one, and takes no settings of its own from the options. */
async function render(template: string, options: VerifyOptions): Promise<string> {
  const { default: ejs } = await import('ejs')
  return ejs.renderFile(resolve(template), { ...options }, {})
}

/** The HTML of a message: what `templateFn` makes, else the EJS template of the application, else the text. */
async function htmlOf(
  parts: AccountParts,
  options: VerifyOptions,
  text: string,
  callOptions: Options
): Promise<string> {
  const own = methodIn(options, 'templateFn')
  if (own !== undefined) return textOr(await callWithOptions(parts, own, undefined, [options, callOptions]), '')
  const { template } = options
  if (typeof template === 'string') return render(template, { ...options, text })
  return escapeHtml(text).replaceAll('\n', '<br>')
}

/**
 * Text and HTML of a message. `{href}` in the text becomes the link; templates see all options.
 * @param options with `verifyHref`, the finished link
 * @param callOptions options of the call
 */
async function messageBody(
  parts: AccountParts,
  options: VerifyOptions,
  callOptions: Options
): Promise<{ text: string; html: string }> {
  const text = textOr(options['text'], defaultText).replaceAll('{href}', () => textOr(options['verifyHref'], ''))
  return { text, html: await htmlOf(parts, { ...options, text }, text, callOptions) }
}
