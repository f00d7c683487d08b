import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyParameters, type Parameters, queryParameters } from '../http/parameters.ts'
import { destinationOf } from './consent.ts'
import { type LogoutRequest, readLogoutRequest } from './logout-request.ts'
import { setBrowserHeaders, sourcesOf } from './page-headers.ts'
import type { PageParts } from './page-parts.ts'
import { safeReturn } from './safe-return.ts'

const signedOut = { title: 'You are signed out', text: 'This browser has no access to your account any more.' }

/** Redirects a user who is signed out back to the client, or shows a page. */
function leave({ show }: PageParts, reply: FastifyReply, target: string | undefined): FastifyReply {
  return target === undefined ? show(reply, 'done', signedOut) : setBrowserHeaders(reply).redirect(target, 302)
}

/** Parameters of a client's logout request by a form. */
const ofClients = ['id_token_hint', 'logout_hint', 'client_id', 'post_logout_redirect_uri', 'state']

/** The query of a client's form; undefined for a form of a page, which has the user's agreement. */
function queryOfClient({ readHint }: PageParts, form: Parameters): string | undefined {
  if (readHint === undefined || form.one('csrf_token') !== undefined) return undefined
  const query = new URLSearchParams()
  for (const name of ofClients) for (const value of form.all(name)) query.append(name, value)
  return query.size === 0 ? undefined : query.toString()
}

/** Ends the session of a browser. The next page requires a login, so that another user can sign in. */
async function logout(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { csrf, signIns, settings } = parts
  const form = bodyParameters(request)
  const query = queryOfClient(parts, form)
  // Browsers send no cookie with a form of another site, but with a link: so redirect to read the session.
  if (query !== undefined) return setBrowserHeaders(reply).redirect(`${settings.paths.logout ?? ''}?${query}`, 303)
  csrf.check(request)
  const { target } = await readLogoutRequest(parts, form)
  const returnTo = safeReturn(form.one('return_to'))
  await signIns.signOut(request, reply)
  return leave(parts, reply, returnTo ?? target)
}

function askUser(
  { csrf, show, settings }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { target, fields }: LogoutRequest
): FastifyReply {
  const action = settings.paths.logout ?? ''
  const destination = target === undefined ? undefined : destinationOf(target)
  const facts = { action, csrfToken: csrf.token(request, reply), fields, destination }
  return show(reply, 'logout', facts, target === undefined ? {} : { leadsTo: sourcesOf(target) })
}

/** Signs out the user of an ID token, if that is who is signed in; asks in all other cases. */
async function ask(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { signIns } = parts
  const logoutRequest = await readLogoutRequest(parts, queryParameters(request))
  const session = await signIns.find(request)
  if (session === undefined) return leave(parts, reply, logoutRequest.target)
  if (logoutRequest.meant !== String(session.userId)) return askUser(parts, request, reply, logoutRequest)
  await signIns.signOut(request, reply)
  return leave(parts, reply, logoutRequest.target)
}

/** Adds the page for signing out. A link to it asks; so an image cannot sign a user out. */
export function addLogout(scope: FastifyInstance, parts: PageParts): void {
  const { logout: path } = parts.settings.paths
  if (path === undefined) return
  scope.get(path, { exposeHeadRoute: false }, (request, reply) => ask(parts, request, reply))
  scope.post(path, (request, reply) => logout(parts, request, reply))
}
