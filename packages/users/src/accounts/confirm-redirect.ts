import type { OperationContext } from '@modelwire/core'
import { isPlainObject, type ModelType } from '@modelwire/core/plugin'
import { RedirectRefused } from '../errors.ts'
import type { UsersOptions } from '../options.ts'

// Represents the server itself: no host can have this name (RFC 2606). `http:host` leads to a path of the server or to
// another host, as it is read on a page of http or of https.
const selves = ['http://self.invalid', 'https://self.invalid']

const originAt = (address: string, base: string): string =>
  URL.canParse(address, base) ? new URL(address, base).origin : 'null'

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
 * Refuses a redirect to a foreign server after an address is confirmed: the link would look like the application's own.
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

/** Sends a client that confirmed on to where it wants to go. */
export function redirectConfirmed(context: OperationContext): void {
  const { redirect } = context.args
  if (typeof redirect !== 'string') return
  context.status = 302
  context.headers = { ...context.headers, location: headerOf(redirect) }
}
