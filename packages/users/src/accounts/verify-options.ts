import type { FastifyInstance } from 'fastify'
import type { Model, OperationContext } from '@modelwire/core'
import { repository, typeOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { AccountParts, Home, Method } from './account-parts.ts'
import { RedirectRefused } from '../errors.ts'
import type { UsersOptions, UsersSettings } from '../options.ts'

// Represents the server itself: no host can have this name (RFC 2606). `http:host` leads to a path of the server or to
// another host, as it is read on a page of http or of https.
const selves = ['http://self.invalid', 'https://self.invalid']

const originAt = (address: string, base: string): string =>
  URL.canParse(address, base) ? new URL(address, base).origin : 'null'

/** Options of `verify`: LoopBack's names, and any others for the mailer. */
export type VerifyOptions = Readonly<Record<string, unknown>>

/** Options of a call by the application. */
export type Options = Readonly<Record<string, unknown>>

/** The `verifyOptions` of a user model, for external requests. */
export function verifyOptionsOf({ definition }: ModelType, { home }: AccountParts): VerifyOptions {
  const { verifyOptions } = definition
  if (isPlainObject(verifyOptions)) return { ...verifyOptions }
  const { from } = home()
  return { type: 'email', ...(from !== undefined && { from }) }
}

/** A value as a string; `otherwise` if it has none. */
export function textOr(value: unknown, otherwise: string): string {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : otherwise
}

const isMethod = (value: unknown): value is Method => typeof value === 'function'

/** A function among the options; undefined if there is none. */
export function methodIn(options: VerifyOptions, name: string): Method | undefined {
  const value = options[name]
  return isMethod(value) ? value : undefined
}

/** The ports that links omit. */
export const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** Where `confirm` of a user model is reached. */
function confirmAddress(parts: AccountParts, model: ModelType, options: VerifyOptions): string {
  const home = parts.home()
  const protocol = textOr(options['protocol'], home.protocol ?? 'http')
  const port = textOr(options['port'], textOr(home.port, '3000'))
  const host = textOr(options['host'], textOr(home.host, 'localhost'))
  const shownPort = port === defaultPorts[protocol] ? '' : `:${port}`
  const root = textOr(options['restApiRoot'], home.apiRoot).replace(/\/+$/, '')
  return `${protocol}://${host}${shownPort}${root}/${model.httpPath}/confirm`
}

/**
 * The link that confirms an email address. A custom `verifyHref` only gets the token.
 * @see LoopBack 3: loopback, common/models/user.js, verify
 */
export function verifyLink(parts: AccountParts, user: Model, token: string, options: VerifyOptions): string {
  const model = typeOf(user)
  const redirect = textOr(options['redirect'], '/')
  const query = new URLSearchParams({ uid: String(repository.idOf(model, user)), redirect })
  const href = textOr(options['verifyHref'], `${confirmAddress(parts, model, options)}?${query.toString()}`)
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ token }).toString()}`
}

/**
 * The origin that an address leads to; undefined where it stays on this server, `null` for what is not a web address.
 */
function foreignOrigin(address: string): string | undefined {
  return selves.map((self) => originAt(address, self)).find((origin, at) => origin !== selves[at])
}

/** Origins that the application itself sends people to, in links of `verify`. */
function ownOrigins({ definition }: ModelType): readonly (string | undefined)[] {
  const { verifyOptions } = definition
  const redirect: unknown = isPlainObject(verifyOptions) ? verifyOptions['redirect'] : undefined
  return typeof redirect === 'string' ? [foreignOrigin(redirect)] : []
}

/** How an address stands in a header, where only signs of ASCII can. */
function headerOf(address: string): string {
  const whole = address.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  return whole.replaceAll(/[^\u0021-\u007e]+/gu, encodeURIComponent)
}

/**
 * Refuses a redirect to a foreign server after confirmation: the link would look like the application's own.
 * @throws {RedirectRefused} the address leads to a server that the application does not name
 */
export function checkRedirect(redirect: unknown, model: ModelType, allowed: UsersOptions['confirmRedirects']): void {
  if (typeof redirect !== 'string' || allowed === true) return
  const allowedOrigins = [...ownOrigins(model), ...(Array.isArray(allowed) ? allowed.map(foreignOrigin) : [])]
  // As it was requested, where readers of addresses pass over line breaks, and as it is sent, where they do not.
  const origins = [redirect, headerOf(redirect)].map(foreignOrigin).filter((origin) => origin !== undefined)
  if (!origins.every((origin) => origin !== 'null' && allowedOrigins.includes(origin)))
    throw new RedirectRefused('the redirect leads to an unknown host')
}

/** Redirects a client that has confirmed to its requested destination. */
export function redirectConfirmed(context: OperationContext): void {
  const { redirect } = context.args
  if (typeof redirect !== 'string') return
  context.status = 302
  context.headers = { ...context.headers, location: headerOf(redirect) }
}

/** Where users reach the server: as set in the options, else where it listens. */
export function homeOf(app: FastifyInstance, { publicUrl, apiRoot, mailFrom }: UsersSettings): Home {
  const own = { apiRoot, from: mailFrom }
  if (publicUrl !== undefined) {
    const { protocol, hostname, port, pathname } = new URL(publicUrl)
    const scheme = protocol.slice(0, -1)
    const prefix = pathname.replace(/\/+$/, '')
    return { ...own, protocol: scheme, host: hostname, port: port || defaultPorts[scheme], apiRoot: prefix + apiRoot }
  }
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { ...own, protocol: app.initialConfig.https ? 'https' : 'http', port }
}
