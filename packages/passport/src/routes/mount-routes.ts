import {
  type LoginHandler,
  type LoginRequest,
  type LoginResponse,
  type PassportApp,
  readMember
} from '../application.ts'
import { answerLogin, type LoginRoute } from './answer-login.ts'
import { checkReturnTo } from './redirects.ts'

type Mounting = LoginRoute & { readonly app: PassportApp; readonly authScheme: string }

/** What a failed link leaves for the next page. */
function flash(request: LoginRequest, wanted: unknown, error: unknown): void {
  if (!wanted) return
  const message = typeof wanted === 'string' ? wanted : (readMember(wanted, 'message') ?? readMember(error, 'message'))
  if (typeof message === 'string') request.flash?.(String(readMember(wanted, 'type') ?? 'error'), message)
}

/** The routes of a link: a failure leads to a page, as a login's does. */
function mountLink({ app, passport, name, options, redirects }: Mounting, path: string, method: 'get' | 'post'): void {
  const settings = {
    session: Boolean(options.session),
    successRedirect: redirects.success(),
    failureRedirect: redirects.failure(undefined),
    ...options.authOptions
  }
  const succeed: LoginHandler = (request, response) => void response.redirect(redirects.success(request))
  // Express knows handlers of errors by their four parameters.
  const fail = (error: unknown, request: LoginRequest, response: LoginResponse, _next: unknown): void => {
    flash(request, options.failureFlash, error)
    response.redirect(redirects.failure(error))
  }
  app[method](path, passport.authorize(name, settings), succeed, fail)
}

/** Passport itself answers: it redirects to where the session points. */
function mountLocal({ app, passport, name, options }: Mounting, path: string): void {
  const { successReturnToOrRedirect, successRedirect, failureRedirect, successFlash, failureFlash } = options
  const redirects = { successReturnToOrRedirect, successRedirect, failureRedirect, successFlash, failureFlash }
  const { scope, authOptions } = options
  const settings = { ...redirects, scope, session: Boolean(options.session), ...authOptions }
  const check: LoginHandler = (request, _response, next) => {
    checkReturnTo(request, options)
    next()
  }
  app.post(path, check, passport.authenticate(name, options.fn ?? settings))
}

/** The route that begins a login, or a link. */
function mountBeginning(mounting: Mounting, path: string, ending: unknown): void {
  const { app, passport, name, options, authScheme } = mounting
  const { scope, authOptions } = options
  const session = Boolean(options.session)
  if (authScheme === 'local') {
    mountLocal(mounting, path)
    return
  }
  if (authScheme === 'ldap') {
    app.post(path, ending)
    return
  }
  const settings = { scope, session, ...authOptions }
  app.get(path, options.link ? passport.authorize(name, settings) : passport.authenticate(name, settings))
}

/**
 * Mounts the routes of a provider: one starts a login, one completes it.
 * @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js, configureProvider
 */
export function mountRoutes(mounting: Mounting): void {
  const { app, name, options } = mounting
  const defaultPath = `${options.link ? '/link/' : '/auth/'}${name}`
  const method = options.callbackHTTPMethod === 'post' ? 'post' : 'get'
  const ending = options.customCallback ?? answerLogin(mounting)
  mountBeginning(mounting, options.authPath || defaultPath, ending)
  const path = options.callbackPath || `${defaultPath}/callback`
  if (options.link) mountLink(mounting, path, method)
  else app[method](path, ending)
}
