import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CsrfTokenInvalid, InvalidRequest, ServerError } from '../errors.ts'
import { limitPage } from '../http/limits.ts'
import { bodyParameters, queryParameters } from '../http/parameters.ts'
import { statusOf } from '../http/send-error.ts'
import type { UserFacts } from '../options/option-functions.ts'
import { isOfOtherSite } from './browser-session.ts'
import { type PageServices, safeReturn, setBrowserHeaders, sourcesOf } from './show-page.ts'

// Browsers keep cookies of up to 4096 signs; encrypted ones are half as long again.
const longestReturn = 2000

/** The fields of a login form. */
interface LoginForm {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly returnTo: string | undefined
}

/** Why a login failed: as text for the plugin's page, as `error` in the query for the application's. */
interface Refusal {
  readonly status: number
  readonly error: string
  readonly problem: string
}

const wrong: Refusal = {
  status: 401,
  error: 'login_failed',
  problem: 'Wrong user name or password.'
}
const outdated: Refusal = {
  status: 403,
  error: 'form_outdated',
  problem: 'This form was open for too long, or your browser blocks cookies. Try again.'
}

const withParameter = (page: string, name: string, value: string): string =>
  `${page}${page.includes('?') ? '&' : '?'}${name}=${value}`

/** A parameter of the request that the login interrupted: pages may be wrong about it without harm. */
function parameterOf(returnTo: string | undefined, name: string): string | undefined {
  const [, query] = returnTo?.split('?') ?? []
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined)
}

/** Shows the form. The browser may be sent on to the client at once, so its address is let through. */
function showForm(
  { csrf, show, settings }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { username, returnTo, problem }: { username?: string | undefined; returnTo: string | undefined; problem?: string }
): FastifyReply {
  return show(
    reply,
    'login',
    {
      action: settings.paths.login ?? '',
      csrfToken: csrf.token(request, reply),
      returnTo,
      username: username ?? parameterOf(returnTo, 'login_hint'),
      problem
    },
    { leadsTo: sourcesOf(parameterOf(returnTo, 'redirect_uri')) }
  )
}

function readLogin(request: FastifyRequest): LoginForm {
  const form = bodyParameters(request)
  return {
    username: form.one('username'),
    password: form.one('password'),
    returnTo: safeReturn(form.one('return_to'))
  }
}

/** Users whose address was never confirmed are refused with an error: here that is a wrong login like another. */
async function verify(
  { users, guesses }: PageServices,
  request: FastifyRequest,
  { username, password }: LoginForm
): Promise<UserFacts | undefined> {
  if (!username || !password) return undefined
  try {
    return await guesses.password(
      request,
      username,
      () => users.verify(username, password),
      async (user) => users.isNameOfOne(username, user)
    )
  } catch (error) {
    if (statusOf(error) === 401) return undefined
    throw error
  }
}

function isShownBefore({ csrf }: PageServices, request: FastifyRequest): boolean {
  try {
    csrf.check(request)
    return true
  } catch (error) {
    if (error instanceof CsrfTokenInvalid) return false
    throw error
  }
}

/** Reports a failed login: on the plugin's page, or by sending the browser back to the application's. */
function refuse(
  services: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  form: LoginForm,
  { status, problem, error }: Refusal
): FastifyReply {
  const { rules, options } = services.settings
  if (options.loginPage === undefined) return showForm(services, request, reply.code(status), { ...form, problem })
  const page = rules.repeatsLoginPage ? options.loginPage : withParameter(options.loginPage, 'error', error)
  return setBrowserHeaders(reply).redirect(page, 302)
}

async function login(services: PageServices, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readLogin(request)
  if (!isShownBefore(services, request)) {
    if (services.settings.options.loginPage === undefined && isOfOtherSite(request))
      throw new CsrfTokenInvalid('the form was sent from another site')
    return refuse(services, request, reply, form, outdated)
  }
  const user = await verify(services, request, form)
  if (user === undefined) return refuse(services, request, reply, form, wrong)
  const returnTo = form.returnTo ?? safeReturn(services.cookie.read(request).returnTo) ?? '/'
  await services.signIns.signIn(request, reply, user)
  return setBrowserHeaders(reply).redirect(returnTo, 302)
}

/** Redirects the browser to log in; it returns to `returnTo` afterwards. */
export function askLogin(
  { settings, cookie }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string
): FastifyReply {
  const { loginPage } = settings.options
  const path = safeReturn(returnTo)
  if (loginPage === undefined && settings.paths.login === undefined)
    throw new ServerError('This server has no sign-in page: loginPath is false and there is no loginPage.')
  if (loginPage !== undefined) {
    // A page of the application's own posts a name and a password: the cookie remembers the rest, as far as it has room.
    if ((path ?? '').length > longestReturn) throw new InvalidRequest('the authorization request is too long')
    cookie.write(request, reply, { ...cookie.read(request), ...(path === undefined ? {} : { returnTo: path }) })
    return setBrowserHeaders(reply).redirect(loginPage, 302)
  }
  const query = path === undefined ? '' : `?return_to=${encodeURIComponent(path)}`
  return setBrowserHeaders(reply).redirect(settings.paths.loginPage + query, 302)
}

/** Adds the login page, unless the application has its own, and the path to which its form is submitted. */
export function addLogin(scope: FastifyInstance, services: PageServices): void {
  const { options, paths } = services.settings
  if (paths.login === undefined) return
  if (options.loginPage === undefined)
    scope.get(paths.loginPage, (request, reply) =>
      showForm(services, request, reply, { returnTo: safeReturn(queryParameters(request).one('return_to')) })
    )
  scope.post(paths.login, { config: limitPage(options.rateLimit) }, (request, reply) => login(services, request, reply))
}
