import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidRequest, RedirectUriNotAllowed } from '../errors.ts'
import { bodyParameters, checkTexts, type Parameters, queryParameters } from '../http/parameters.ts'
import type { IdTokenHint } from '../oidc/id-token.ts'
import { destinationOf } from './consent.ts'
import { type PageServices, safeReturn, setBrowserHeaders, sourcesOf } from './show-page.ts'

/** The logout request of a client. */
interface LogoutRequest {
  /** The id of the user that it refers to, from an ID token of that user. */
  readonly meant?: string | undefined
  /** Where to go afterwards: a URL of the client, with its state. */
  readonly target?: string | undefined
  /** Its parameters, for the form that asks the user. */
  readonly fields: Readonly<Record<string, string>>
}

const withState = (address: string, state: string | undefined): string =>
  state === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`

const signedOut = { title: 'You are signed out', text: 'This browser no longer has access to your account.' }

/** Redirects a user who is signed out back to the client, or shows a page. */
function leave({ show }: PageServices, reply: FastifyReply, target: string | undefined): FastifyReply {
  return target === undefined ? show(reply, 'done', signedOut) : setBrowserHeaders(reply).redirect(target, 302)
}

/** Parameters of a client's logout request by a form. */
const ofClients = ['id_token_hint', 'logout_hint', 'client_id', 'post_logout_redirect_uri', 'state']

/** The query of a client's form; undefined for a form of a page, which has the user's agreement. */
function queryOfClient({ readHint }: PageServices, form: Parameters): string | undefined {
  if (readHint === undefined || form.one('csrf_token') !== undefined) return undefined
  const query = new URLSearchParams()
  for (const name of ofClients) for (const value of form.all(name)) query.append(name, value)
  return query.size === 0 ? undefined : query.toString()
}

/** Ends the session of a browser. The next page requires a login, so that another user can sign in. */
async function logout(services: PageServices, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { csrf, signIns, settings } = services
  const form = bodyParameters(request)
  const query = queryOfClient(services, form)
  // Browsers send no cookie with a form of another site, but with a link: so redirect to read the session.
  if (query !== undefined) return setBrowserHeaders(reply).redirect(`${settings.paths.logout ?? ''}?${query}`, 303)
  csrf.check(request)
  const { target } = await readLogoutRequest(services, form)
  const returnTo = safeReturn(form.one('return_to'))
  await signIns.signOut(request, reply)
  return leave(services, reply, returnTo ?? target)
}

function askUser(
  { csrf, show, settings }: PageServices,
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
async function ask(services: PageServices, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { signIns } = services
  const logoutRequest = await readLogoutRequest(services, queryParameters(request))
  const session = await signIns.find(request)
  if (session === undefined) return leave(services, reply, logoutRequest.target)
  if (logoutRequest.meant !== String(session.userId)) return askUser(services, request, reply, logoutRequest)
  await signIns.signOut(request, reply)
  return leave(services, reply, logoutRequest.target)
}

/** Adds the page for signing out. A link to it asks for confirmation, so that an image cannot sign a user out. */
export function addLogout(scope: FastifyInstance, services: PageServices): void {
  const { logout: path } = services.settings.paths
  if (path === undefined) return
  scope.get(path, { exposeHeadRoute: false }, (request, reply) => ask(services, request, reply))
  scope.post(path, (request, reply) => logout(services, request, reply))
}

/** A hint that is not an ID token of this server is ignored: then the user is asked. */
async function readHintOf(
  { readHint: read }: PageServices,
  hint: string | undefined
): Promise<IdTokenHint | undefined> {
  if (hint === undefined) return undefined
  try {
    return await read?.(hint)
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined
    throw error
  }
}

/** @throws {RedirectUriNotAllowed} the address is not registered, sign by sign, for logouts of this client */
async function checkTarget({ clients }: PageServices, clientId: string, address: string): Promise<void> {
  const client = await clients.find(clientId)
  if (!client?.postLogoutRedirectUris.includes(address))
    throw new RedirectUriNotAllowed('post_logout_redirect_uri is not registered')
}

/**
 * Reads the logout request of a client. Parameters without a client are ignored.
 * @throws {InvalidRequest} the hint was issued to another client than the named one
 * @throws {RedirectUriNotAllowed} the redirect URI is not registered
 * @see OpenID Connect RP-Initiated Logout 1.0, sections 2 and 3
 */
async function readLogoutRequest(services: PageServices, parameters: Parameters): Promise<LogoutRequest> {
  if (services.readHint === undefined) return { fields: {} }
  const texts = checkTexts(parameters)
  const hint = await readHintOf(services, texts.one('id_token_hint'))
  const claimed = texts.one('client_id')
  if (hint !== undefined && claimed !== undefined && hint.clientId !== claimed)
    throw new InvalidRequest('id_token_hint was issued to another client')
  const [clientId, address] = [claimed ?? hint?.clientId, texts.one('post_logout_redirect_uri')]
  if (clientId === undefined || address === undefined) return { meant: hint?.subject, fields: {} }
  await checkTarget(services, clientId, address)
  const state = texts.one('state')
  const fields = { client_id: clientId, post_logout_redirect_uri: address, ...(state === undefined ? {} : { state }) }
  return { meant: hint?.subject, target: withState(address, state), fields }
}
