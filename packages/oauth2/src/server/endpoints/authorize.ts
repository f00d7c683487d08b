import type { FastifyReply, FastifyRequest } from 'fastify'
import { ConsentRequired, InvalidRequest, LoginRequired } from '../../errors.ts'
import { checkTexts, type Parameters } from '../../http/parameters.ts'
import type { UserFacts } from '../../options/option-functions.ts'
import type { Client } from '../clients/client.ts'
import { implicit } from '../grants/grant-table.ts'
import { failClient, grantAuthorization } from './answer-client.ts'
import {
  type AnswerTo,
  authorizationParameters,
  type AuthorizationRequest,
  clientOf,
  needsConsentAgain,
  readAuthorizationRequest,
  redirectUriOf
} from './authorization-request.ts'
import { type AuthorizationServices, startTransaction } from './decision.ts'

interface SignedIn {
  readonly user: UserFacts
  readonly authTime: Date
}

/**
 * The id of the user in `id_token_hint`; undefined without a hint.
 * @throws {InvalidRequest} the hint is not an ID token that was issued to this client
 */
async function hintedUser(
  { readHint }: AuthorizationServices,
  client: Client,
  parameters: Parameters
): Promise<string | undefined> {
  const hint = parameters.one('id_token_hint')
  if (hint === undefined || readHint === undefined) return undefined
  const { subject, clientId } = await readHint(hint)
  if (clientId !== client.id) throw new InvalidRequest('id_token_hint was issued to another client')
  return subject
}

/** Who is signed in, if it is whom the client means, and the login is as fresh as the client wants it. */
async function signedIn(
  services: AuthorizationServices,
  request: FastifyRequest,
  authorization: AuthorizationRequest,
  parameters: Parameters
): Promise<SignedIn | undefined> {
  const hinted = await hintedUser(services, authorization.client, parameters)
  const session = await services.interaction.signedIn(request)
  if (session === undefined || authorization.prompt.has('login')) return undefined
  if (hinted !== undefined && hinted !== String(session.userId)) return undefined
  const age = (Date.now() - session.authTime.getTime()) / 1000
  if (authorization.maxAge !== undefined && age > authorization.maxAge) return undefined
  const user = await services.users.find(session.userId)
  return user === undefined ? undefined : { user, authTime: session.authTime }
}

/** The request again, as an address of this server. A requested login is only requested once. */
function returnTo(
  { settings }: AuthorizationServices,
  request: FastifyRequest,
  authorization: AuthorizationRequest,
  parameters: Parameters
): string {
  const [path] = request.url.split('?')
  const query = new URLSearchParams()
  for (const name of returned) for (const value of parameters.all(name)) query.append(name, value)
  const prompt = [...authorization.prompt].filter((word) => word !== 'login' && word !== 'select_account').join(' ')
  if (prompt === '') query.delete('prompt')
  else query.set('prompt', prompt)
  if (authorization.maxAge === 0) query.delete('max_age')
  const isSame = request.method === 'GET' && !authorization.prompt.has('login')
  return isSame ? request.url : `${settings.paths.authorize ?? path}?${query.toString()}`
}

/** Parameters that a request is repeated with after a login. */
const returned = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'resource',
  'response_mode',
  'login_hint',
  'id_token_hint'
]

/** A stored permission makes the consent page unnecessary, unless the request requires it. */
async function isPermitted(
  services: AuthorizationServices,
  authorization: AuthorizationRequest,
  user: UserFacts
): Promise<boolean> {
  const insists =
    services.settings.options.forceAuthorize || authorization.prompt.has('consent') || needsConsentAgain(authorization)
  return !insists && services.permissions.covers(authorization.client.id, user.id, authorization.scopes)
}

/** What happens to a request that is in order: login, consent, or the answer. */
async function proceed(
  services: AuthorizationServices,
  { request, reply }: Exchange,
  authorization: AuthorizationRequest,
  parameters: Parameters
): Promise<FastifyReply> {
  const isSilent = authorization.prompt.has('none')
  const session = await signedIn(services, request, authorization, parameters)
  if (session === undefined) {
    if (isSilent) throw new LoginRequired('no user is signed in')
    return services.interaction.askLogin(request, reply, returnTo(services, request, authorization, parameters))
  }
  const { user, authTime } = session
  if (await isPermitted(services, authorization, user))
    return grantAuthorization(services, reply, { request: authorization, user, authTime })
  if (isSilent) throw new ConsentRequired('the user has not granted permission')
  const transactionId = await startTransaction(services, { request: authorization, user, authTime })
  const { client, scopes, answerTo } = authorization
  return services.interaction.askConsent(request, reply, {
    transactionId,
    client,
    user,
    scopes,
    redirectUri: answerTo.redirectUri
  })
}

/** A request and its reply. */
interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Parameters of the answer. A repeated state is not sent back. */
function readAnswerTo(services: AuthorizationServices, redirectUri: string, parameters: Parameters): AnswerTo {
  const state = parameters.one('state')
  const isToken = parameters.one('response_type') === 'token' && services.settings.grantTypes.has(implicit.type)
  return { redirectUri, state, mode: isToken ? 'fragment' : 'query' }
}

/**
 * Answers the authorization endpoint. Until client and redirect URI are known to belong together, errors are shown to the
 * user; afterwards they are sent to the client.
 * @see RFC 6749 section 4.1.1
 */
export async function authorize(
  services: AuthorizationServices,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const parameters = checkTexts(authorizationParameters(services.settings, request))
  const client = await clientOf(services.clients, parameters)
  const redirectUri = redirectUriOf(services.settings, client, parameters.one('redirect_uri'))
  const answerTo = readAnswerTo(services, redirectUri, parameters)
  // LB3: a request that is not in order is answered, not redirected; pinned by the recorded pairs.
  const early = services.settings.rules.answersInvalidRequests
    ? readAuthorizationRequest(services.settings, client, parameters, answerTo)
    : undefined
  try {
    const authorization = early ?? readAuthorizationRequest(services.settings, client, parameters, answerTo)
    return await proceed(services, { request, reply }, authorization, parameters)
  } catch (thrown) {
    return failClient(services.settings, { request, reply }, answerTo, thrown)
  }
}
