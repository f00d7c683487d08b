import { ApiError } from '@modelwire/core'
import type { LoginRequest, ScriptRecord } from '../application.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { readMember } from '../read-member.ts'

/** Where a provider sends users when they come back. */
export interface Redirects {
  /** After a login, with the token where no session holds the user. */
  readonly success: (request?: LoginRequest, token?: unknown) => string
  /** After a failure. */
  readonly failure: (reason: unknown) => string
}

/** No server has this name: it stands for the server's own. */
const self = 'http://self.invalid'

function hostOf(address: unknown): string | undefined {
  const url = typeof address === 'string' && URL.canParse(address, self) ? new URL(address, self) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.host : undefined
}

/** Where the session wants to go to. It forgets a server which neither the request nor the options name. */
export function checkReturnTo({ session, headers }: LoginRequest, options: ProviderOptions): string | undefined {
  const returnTo = session?.['returnTo']
  if (!session || !returnTo) return undefined
  const { successRedirect, successReturnToOrRedirect, failureRedirect, callbackURL } = options
  const named = [successRedirect, successReturnToOrRedirect, failureRedirect, callbackURL].map(hostOf)
  const host = hostOf(returnTo)
  if (host !== undefined && [hostOf(self), headers['host'], ...named].includes(host)) return String(returnTo)
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
