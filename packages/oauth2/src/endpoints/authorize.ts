import { implicit } from '../grants/implicit.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ConsentRequired, InvalidRequest, LoginRequired } from '../errors.ts'
import type { Client } from '../clients/client.ts'
import type { Parameters } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import type { UserFacts } from '../options/user-functions.ts'
import type { ServerParts } from '../server-parts.ts'
import { failClient } from './answer-client.ts'
import {
  type AnswerTo,
  authorizationParameters,
  type AuthorizationRequest,
  clientOf,
  needsConsentAgain,
  readAuthorizationRequest,
  redirectUriOf
} from './authorization-request.ts'
import { grantAuthorization } from './grant-authorization.ts'
import { startTransaction } from './transactions.ts'

interface SignedIn {
  readonly user: UserFacts
  readonly authTime: Date
}

/**
 * The id of the user in `id_token_hint`; undefined without a hint.
 * @throws {InvalidRequest} the hint is not an ID token that was issued to this client
 */
async function hintedUser(
  { readHint }: ServerParts,
  client: Client,
  parameters: Parameters
): Promise<string | undefined> {
  const hint = parameters.one('id_token_hint')
  if (hint === undefined || readHint === undefined) return undefined
  const { subject, clientId } = await readHint(hint)
  if (clientId !== client.id) throw new InvalidRequest('id_token_hint was given to another client')
  return subject
}

/** Who is signed in, if it is whom the client means, and the login is as fresh as the client wants it. */
async function signedIn(
  parts: ServerParts,
  request: FastifyRequest,
  authorization: AuthorizationRequest,
  parameters: Parameters
): Promise<SignedIn | undefined> {
  const hinted = await hintedUser(parts, authorization.client, parameters)
  const session = await parts.interaction.signedIn(request)
  if (session === undefined || authorization.prompt.has('login')) return undefined
  if (hinted !== undefined && hinted !== String(session.userId)) return undefined
  const age = (Date.now() - session.authTime.getTime()) / 1000
  if (authorization.maxAge !== undefined && age > authorization.maxAge) return undefined
  const user = await parts.users.find(session.userId)
  return user === undefined ? undefined : { user, authTime: session.authTime }
}

/** The request again, as an address of this server. A requested login is only requested once. */
function returnTo(
  { settings }: ServerParts,
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
async function isPermitted(parts: ServerParts, authorization: AuthorizationRequest, user: UserFacts): Promise<boolean> {
  const insists =
    parts.settings.options.forceAuthorize || authorization.prompt.has('consent') || needsConsentAgain(authorization)
  return !insists && parts.permissions.covers(authorization.client.id, user.id, authorization.scopes)
}

/** What happens to a request that is in order: login, consent, or the answer. */
async function proceed(
  parts: ServerParts,
  { request, reply }: Exchange,
  authorization: AuthorizationRequest,
  parameters: Parameters
): Promise<FastifyReply> {
  const isSilent = authorization.prompt.has('none')
  const session = await signedIn(parts, request, authorization, parameters)
  if (session === undefined) {
    if (isSilent) throw new LoginRequired('no user is signed in')
    return parts.interaction.askLogin(request, reply, returnTo(parts, request, authorization, parameters))
  }
  const { user, authTime } = session
  if (await isPermitted(parts, authorization, user))
    return grantAuthorization(parts, reply, { request: authorization, user, authTime })
  if (isSilent) throw new ConsentRequired('the user has not granted permission')
  const transactionId = await startTransaction(parts, { request: authorization, user, authTime })
  const { client, scopes, answerTo } = authorization
  return parts.interaction.askConsent(request, reply, {
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
function readAnswerTo(parts: ServerParts, redirectUri: string, parameters: Parameters): AnswerTo {
  const state = parameters.one('state')
  const isToken = parameters.one('response_type') === 'token' && parts.settings.grantTypes.has(implicit.type)
  return { redirectUri, state, mode: isToken ? 'fragment' : 'query' }
}

/**
 * Answers the authorization endpoint. Until client and redirect URI are known to belong together, errors are shown to the
 * user; afterwards they are sent to the client.
 * @see RFC 6749 section 4.1.1
 */
export async function authorize(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const parameters = checkTexts(authorizationParameters(parts, request))
  const client = await clientOf(parts, parameters)
  const redirectUri = redirectUriOf(parts, client, parameters.one('redirect_uri'))
  const answerTo = readAnswerTo(parts, redirectUri, parameters)
  // LB3: a request that is not in order is answered, not redirected; pinned by the recorded pairs.
  const early = parts.settings.rules.answersInvalidRequests
    ? readAuthorizationRequest(parts, client, parameters, answerTo)
    : undefined
  try {
    const authorization = early ?? readAuthorizationRequest(parts, client, parameters, answerTo)
    return await proceed(parts, { request, reply }, authorization, parameters)
  } catch (thrown) {
    return failClient(parts.settings, { request, reply }, answerTo, thrown)
  }
}
