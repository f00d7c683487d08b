import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOfOtherSite } from '../csrf.ts'
import { CsrfTokenInvalid, InvalidRequest, ServerError } from '../errors.ts'
import type { UserFacts } from '../options/user-functions.ts'
import { bodyParameters, queryParameters } from '../http/parameters.ts'
import { setBrowserHeaders, sourcesOf } from './page-headers.ts'
import type { PageParts } from './page-parts.ts'
import { limitPage } from './limit-page.ts'
import { safeReturn } from './safe-return.ts'

/** Where the login page of the plugin is. */

// Browsers keep cookies of up to 4096 signs; encrypted ones are half as long again.
const longestReturn = 2000

/** The fields of a login form. */
interface LoginForm {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly returnTo: string | undefined
}

/** Why a login failed: in words for the plugin's page, as `error` in the query for the application's. */
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
  problem: 'This form was open for too long, or your browser keeps no cookies. Try again.'
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
  { csrf, show, settings }: PageParts,
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
  { users, guesses }: PageParts,
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
    if (typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 401)
      return undefined
    throw error
  }
}

function isShownBefore({ csrf }: PageParts, request: FastifyRequest): boolean {
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
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  form: LoginForm,
  { status, problem, error }: Refusal
): FastifyReply {
  const { rules, options } = parts.settings
  if (options.loginPage === undefined) return showForm(parts, request, reply.code(status), { ...form, problem })
  const page = rules.repeatsLoginPage ? options.loginPage : withParameter(options.loginPage, 'error', error)
  return setBrowserHeaders(reply).redirect(page, 302)
}

async function login(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readLogin(request)
  if (!isShownBefore(parts, request)) {
    if (parts.settings.options.loginPage === undefined && isOfOtherSite(request))
      throw new CsrfTokenInvalid('the form was sent by another site')
    return refuse(parts, request, reply, form, outdated)
  }
  const user = await verify(parts, request, form)
  if (user === undefined) return refuse(parts, request, reply, form, wrong)
  const returnTo = form.returnTo ?? safeReturn(parts.cookie.read(request).returnTo) ?? '/'
  await parts.signIns.signIn(request, reply, user)
  return setBrowserHeaders(reply).redirect(returnTo, 302)
}

/** Sends the browser to log in; it comes back to `returnTo` afterwards. */
export function askLogin(
  { settings, cookie }: PageParts,
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

/** Adds the login page, where the application has none, and the path that its form is sent to. */
export function addLogin(scope: FastifyInstance, parts: PageParts): void {
  const { options, paths } = parts.settings
  if (paths.login === undefined) return
  if (options.loginPage === undefined)
    scope.get(paths.loginPage, (request, reply) =>
      showForm(parts, request, reply, { returnTo: safeReturn(queryParameters(request).one('return_to')) })
    )
  scope.post(paths.login, { config: limitPage(options.rateLimit) }, (request, reply) => login(parts, request, reply))
}
