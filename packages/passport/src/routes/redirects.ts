import { ApiError } from '@modelwire/core'
import { type LoginRequest, type ScriptRecord, readMember } from '../application.ts'
import type { ProviderOptions } from '../provider-options.ts'

/** Where users are redirected when they return from a provider. */
export interface Redirects {
  /** After a login, with the token if no session stores the user. */
  readonly success: (request?: LoginRequest, token?: unknown) => string
  /** After a failure. */
  readonly failure: (reason: unknown) => string
}

// No server has this name: it stands for the server's own. `http:host` leads to a path of the server or to another host, as it is read on
// a page of http or of https.
const self = 'self.invalid'
const pages = [`http://${self}`, `https://${self}`]

function hostAt(address: unknown, page: string): string | undefined {
  const url = typeof address === 'string' && URL.canParse(address, page) ? new URL(address, page) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.host : undefined
}

/** The hosts that an address may lead to; undefined for what is not a web address. */
const hostsOf = (address: unknown): readonly (string | undefined)[] => pages.map((page) => hostAt(address, page))

/**
 * The redirect stored in the session. It is discarded if it leads to a server which neither the request nor the options
 * name.
 */
export function checkReturnTo(
  { session, headers }: Pick<LoginRequest, 'session' | 'headers'>,
  options: ProviderOptions
): string | undefined {
  const returnTo = session?.['returnTo']
  if (!session || !returnTo) return undefined
  const { successRedirect, successReturnToOrRedirect, failureRedirect, callbackURL } = options
  const named = [successRedirect, successReturnToOrRedirect, failureRedirect, callbackURL].flatMap(hostsOf)
  const known = [self, headers['host'], ...named]
  if (hostsOf(returnTo).every((host) => host !== undefined && known.includes(host))) return String(returnTo)
  delete session['returnTo']
  return undefined
}

/** Where the session wants to go to, once. */
function takeReturnTo(request: LoginRequest, options: ProviderOptions): string | undefined {
  const returnTo = checkReturnTo(request, options)
  if (returnTo !== undefined) delete request.session?.['returnTo']
  return returnTo
}

const extended = (url: string, query: string): string => `${url}${url.includes('?') ? '&' : '?'}${query}`

function withToken(url: string, token: unknown): string {
  if (!token) return url
  const { id, userId } = token as ScriptRecord // a token of the application
  return extended(url, `access-token=${String(id)}&user-id=${String(userId)}`)
}

/** LB3: an error is shown with its name; what strategies fail with is an object with a message. */
function reasonOf(reason: unknown): string {
  const message = readMember(reason, 'message')
  const isPlain = reason instanceof ApiError || !(reason instanceof Error)
  return isPlain && typeof message === 'string' ? message : String(reason)
}

/** The redirects of a provider. @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js */
export function redirectsOf(options: ProviderOptions): Redirects {
  const { link, failureQueryString } = options
  const failure = options.failureRedirect || (link ? '/link.html' : '/login.html')
  const success = options.successRedirect || (link ? '/link/account' : '/auth/account')
  return {
    success: (request, token) => withToken((request && takeReturnTo(request, options)) ?? success, token),
    failure: (reason) =>
      failureQueryString && reason ? extended(failure, `error=${encodeURIComponent(reasonOf(reason))}`) : failure
  }
}
