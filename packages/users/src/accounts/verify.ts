import { randomBytes } from 'node:crypto'
import { isPlainObject, type Model, type ModelType, repository, typeOf } from '@modelwire/core'
import { MailNotConfigured } from '../errors.ts'
import type { MailMessage } from '../options.ts'
import type { AccountParts, Method } from './account-parts.ts'
import { callOwn } from './call-own.ts'

type VerifyOptions = Readonly<Record<string, unknown>>

const usual: VerifyOptions = { type: 'email', from: 'noreply@example.com' }

/** What `verifyOptions` of a user model say, for requests that come from outside. */
export function verifyOptionsOf({ definition }: ModelType): VerifyOptions {
  const { verifyOptions } = definition
  return { ...usual, ...(isPlainObject(verifyOptions) ? verifyOptions : {}) }
}

const isMethod = (value: unknown): value is Method => typeof value === 'function'
const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise

/** The link that confirms the address. */
function linkOf(parts: AccountParts, user: Model, token: string, options: VerifyOptions): string {
  const model = typeOf(user)
  const { protocol, host, port, restApiRoot, redirect, verifyHref } = options
  const shownPort = port === undefined || port === 80 || port === 443 ? '' : `:${textOr(port, '')}`
  const origin = `${textOr(protocol, 'http')}://${textOr(host, 'localhost')}${shownPort}`
  const place = `${origin}${textOr(restApiRoot, parts.apiRoot())}/${model.httpPath}/confirm`
  const url = new URL(textOr(verifyHref, place))
  url.searchParams.set('uid', String(repository.idOf(model, user)))
  if (typeof redirect === 'string') url.searchParams.set('redirect', redirect)
  url.searchParams.set('token', token)
  return url.href
}

async function tokenFor(
  parts: AccountParts,
  user: Model,
  { generateVerificationToken }: VerifyOptions
): Promise<string> {
  const own = generateVerificationToken
  const made = isMethod(own)
    ? await parts.call(own, undefined, [user, {}])
    : await callOwn(parts, typeOf(user).modelClass, 'generateVerificationToken', [user, {}])
  return typeof made === 'string' ? made : newVerificationToken()
}

/** A new token that confirms an address. */
export function newVerificationToken(): string {
  return randomBytes(64).toString('hex')
}

async function bodyOf(
  parts: AccountParts,
  options: VerifyOptions,
  link: string
): Promise<{ text: string; html: string }> {
  const { templateFn, text } = options
  const plain = textOr(text, 'Confirm your email address by opening this link:\n{href}').replaceAll('{href}', link)
  const own = isMethod(templateFn)
    ? await parts.call(templateFn, undefined, [{ ...options, verifyHref: link }, {}])
    : undefined
  return { text: plain, html: textOr(own, escapeHtml(plain).replaceAll('\n', '<br>')) }
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * Sends a user a message with a link that confirms the address.
 * @throws {MailNotConfigured} nothing sends messages
 * @see LoopBack 3: loopback, common/models/user.js, verify
 */
export async function verify(parts: AccountParts, user: Model, given: unknown): Promise<object> {
  const model = typeOf(user)
  const options = { ...verifyOptionsOf(model), ...(isPlainObject(given) ? given : {}) }
  const { mailer } = options
  const ownSend: unknown =
    typeof mailer === 'function' || isPlainObject(mailer) ? Reflect.get(mailer, 'send') : undefined
  const send = isMethod(ownSend)
    ? (message: MailMessage) => parts.call(ownSend, mailer, [message])
    : parts.mailer(model)
  if (send === undefined) {
    parts.warn(
      `the address of a ${model.name} cannot be verified: nothing sends mail (option sendMail, or a mail data source)`
    )
    throw new MailNotConfigured('this server sends no mail')
  }
  const token = await tokenFor(parts, user, options)
  await repository.patchInstance(model, user, { verificationToken: token }, {})
  const link = linkOf(parts, user, token, options)
  const message: MailMessage = {
    to: textOr(options['to'], textOr(user['email'], '')),
    from: textOr(options['from'], textOr(usual['from'], '')),
    subject: textOr(options['subject'], 'Confirm your email address'),
    headers: options['headers'] ?? {},
    ...(await bodyOf(parts, options, link))
  }
  return { email: await send(message), token, uid: repository.idOf(model, user) }
}
