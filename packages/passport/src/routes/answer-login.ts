import type { LoginHandler, LoginRequest, LoginResponse, PassportModule, ScriptRecord } from '../application.ts'
import type { ProviderOptions } from '../provider-options.ts'
import type { Redirects } from './redirects.ts'

/** The dependencies for responding to a login. */
export interface LoginRoute {
  readonly name: string
  readonly options: ProviderOptions
  readonly passport: PassportModule
  readonly redirects: Redirects
}

/** A token of the application, as returned by logins. */
interface Token {
  readonly id: string
  readonly ttl: number
}

function setCookies(
  { secret }: LoginRequest,
  response: LoginResponse,
  { domain }: ProviderOptions,
  user: ScriptRecord,
  { id, ttl }: Token
): void {
  const options = {
    signed: Boolean(secret),
    // A token that never expires lives as long as its browser.
    ...(ttl > 0 && { maxAge: 1000 * ttl }),
    ...(domain && { domain })
  }
  response.cookie('access_token', id, options)
  response.cookie('userId', String(user.id), options)
}

function answerUser(
  { options, redirects }: LoginRoute,
  [request, response]: readonly [LoginRequest, LoginResponse],
  user: ScriptRecord,
  token: Token | undefined
): void {
  if (token !== undefined && options.json) {
    response.json({ access_token: token.id, userId: user.id })
    return
  }
  if (token !== undefined) setCookies(request, response, options, user, token)
  response.redirect(redirects.success(request, options.session ? undefined : token))
}

function refuse({ options, redirects }: LoginRoute, response: LoginResponse, info: unknown): void {
  if (options.json) response.status(401).json('authentication error')
  else response.redirect(redirects.failure(info))
}

/**
 * Responds to a request that returns from a provider: with cookies and a redirect, or with JSON.
 * @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js, defaultCallback
 */
export function answerLogin(route: LoginRoute): LoginHandler {
  const { name, options, passport } = route
  const settings = { session: Boolean(options.session), ...options.authOptions }
  return (request, response, next) => {
    const authenticate = passport.authenticate(name, settings, (error, user, info) => {
      if (error) return next(error)
      if (!user) return refuse(route, response, info)
      const account = user as ScriptRecord // what the login gave
      const { accessToken } = Object(info) as { readonly accessToken?: Token } // what `loginCallback` gives
      const answer = (): void => answerUser(route, [request, response], account, accessToken)
      if (!options.session) return answer()
      return request.logIn(user, {}, (failed) => (failed ? next(failed) : answer()))
    })
    authenticate(request, response, next)
  }
}
