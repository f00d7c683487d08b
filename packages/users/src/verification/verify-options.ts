import type { Model } from '@modelwire/core'
import { isPlainObject, type ModelType, repository, typeOf } from '@modelwire/core/plugin'
import type { AccountParts, Method } from '../accounts/account-parts.ts'

/** What `verify` goes by: LoopBack's names, and whatever else a mailer may want to know. */
export type VerifyOptions = Readonly<Record<string, unknown>>

/** Options of a call of the application's own. */
export type Options = Readonly<Record<string, unknown>>

/** The `verifyOptions` of a user model, for requests from outside. */
export function verifyOptionsOf({ definition }: ModelType, { home }: AccountParts): VerifyOptions {
  const { verifyOptions } = definition
  if (isPlainObject(verifyOptions)) return { ...verifyOptions }
  const { from } = home()
  return { type: 'email', ...(from !== undefined && { from }) }
}

/** A value as text; `otherwise` for what has none. */
export function textOr(value: unknown, otherwise: string): string {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : otherwise
}

const isMethod = (value: unknown): value is Method => typeof value === 'function'

/** A function among the options; undefined where there is none. */
export function methodIn(options: VerifyOptions, name: string): Method | undefined {
  const value = options[name]
  return isMethod(value) ? value : undefined
}

/** The ports that links leave out. */
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
 * The link that confirms an address. An own `verifyHref` gets the token alone.
 * @see LoopBack 3: loopback, common/models/user.js, verify
 */
export function verifyLink(parts: AccountParts, user: Model, token: string, options: VerifyOptions): string {
  const model = typeOf(user)
  const redirect = textOr(options['redirect'], '/')
  const query = new URLSearchParams({ uid: String(repository.idOf(model, user)), redirect })
  const href = textOr(options['verifyHref'], `${confirmAddress(parts, model, options)}?${query.toString()}`)
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ token }).toString()}`
}
