import { isPlainObject } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerServices } from '../../container.ts'
import { PermissionDenied, PermittedGrantNotAllowed, TransactionMissing, TransactionUnknown } from '../../errors.ts'
import { bodyParameters, checkTexts, firstOf, queryParameters } from '../../http/parameters.ts'
import { mayUseGrant } from '../../options/grant-kind.ts'
import { grantOfResponse } from '../grants/grant-table.ts'
import { randomText } from '../store/secrets.ts'
import { checkClientScopes } from '../tokens/scopes.ts'
import { answerClient, failClient, grantAuthorization, type Permitted, refuseClient } from './answer-client.ts'
import { type AuthorizationRequest, redirectUriOf } from './authorization-request.ts'

/** The dependencies of authorization requests and decisions. */
export type AuthorizationServices = Pick<
  ServerServices,
  'clients' | 'codes' | 'interaction' | 'issueTokens' | 'permissions' | 'readHint' | 'settings' | 'states' | 'users'
>

const kind = 'transaction'

/** Milliseconds until a consent page expires. */
const consentTimeoutMs = 10 * 60 * 1000

/** The part of a request stored until its user decides: everything but the client, which is read again. */
type StoredRequest = Omit<AuthorizationRequest, 'client' | 'prompt'>

interface Stored {
  readonly clientId: string
  readonly userId: unknown
  readonly authTime: string
  readonly request: StoredRequest
}

const isStored = (data: unknown): data is Stored => isPlainObject(data) && 'clientId' in data

const unknown = (): TransactionUnknown =>
  new TransactionUnknown('this request is no longer open: it was answered, it expired, or it belongs to another user')

/**
 * Answers `POST` of the decision endpoint: the user's decision on the consent page.
 * @see loopback-component-oauth2: transaction_id in query or body, any `cancel` means no
 */
export async function decision(
  services: AuthorizationServices,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { interaction, settings } = services
  const session = await interaction.signedIn(request)
  if (session === undefined) return interaction.askLogin(request, reply, '/')
  interaction.checkCsrf(request)
  const parameters = checkTexts(firstOf(queryParameters(request), bodyParameters(request)))
  const id = parameters.one('transaction_id')
  if (id === undefined) throw new TransactionMissing('the parameter transaction_id is missing')
  const permitted = await endTransaction(services, id, session)
  const { client, scopes, responseType } = permitted.request
  if (parameters.one('cancel') !== undefined) return deny(services, reply, permitted.request.answerTo)
  // LB3: thrown here instead of in the authorization request; pinned by the recorded pairs.
  if (settings.rules.checksGrantAtDecision && !mayUseGrant(settings, client, grantOfResponse[responseType].type))
    throw new PermittedGrantNotAllowed('the client may not use this grant')
  try {
    checkClientScopes(settings, client, scopes)
    await services.permissions.save(client.id, permitted.user.id, scopes)
    return await grantAuthorization(services, reply, permitted)
  } catch (thrown) {
    return failClient(settings, { request, reply }, permitted.request.answerTo, thrown)
  }
}

/** LB3: without a description; pinned by the recorded pairs. */
function deny(
  { settings }: AuthorizationServices,
  reply: FastifyReply,
  answerTo: Parameters<typeof answerClient>[2]
): FastifyReply {
  if (settings.rules.deniesWithoutDescription)
    return answerClient(settings, reply, answerTo, { error: 'access_denied' })
  return refuseClient(settings, reply, answerTo, new PermissionDenied('the user denied the request'))
}

/** Stores a request until its user has decided; returns the id of the transaction. */
export async function startTransaction({ states }: AuthorizationServices, permitted: Permitted): Promise<string> {
  const { client, prompt: _prompt, ...request } = permitted.request
  const id = randomText()
  const { user, authTime } = permitted
  const data: Stored = { clientId: client.id, userId: user.id, authTime: authTime.toISOString(), request }
  await states.add(kind, id, data, new Date(Date.now() + consentTimeoutMs))
  return id
}

/**
 * Ends a transaction of the user who is signed in, once.
 * @throws {TransactionUnknown} there is none, it is another user's or another login's, or it was answered
 * @throws {RedirectUriNotAllowed} the client may not be answered there any more
 */
async function endTransaction(
  services: AuthorizationServices,
  id: string,
  session: { readonly userId: unknown; readonly authTime: Date }
): Promise<Permitted> {
  const { states, clients, users } = services
  const row = await states.read(kind, id)
  if (row === undefined || !isStored(row.data)) throw unknown()
  const { clientId, userId, authTime, request } = row.data
  const isOthers = String(userId) !== String(session.userId) || authTime !== session.authTime.toISOString()
  if (isOthers || !(await states.change(kind, id, 'new', 'answered'))) throw unknown()
  const [client, user] = await Promise.all([clients.find(clientId), users.find(session.userId)])
  if (client === undefined || user === undefined) throw unknown()
  // Where the answer goes may have been taken from the client meanwhile.
  if (redirectUriOf(services.settings, client, request.requestedRedirectUri) !== request.answerTo.redirectUri)
    throw unknown()
  return { request: { ...request, client, prompt: new Set() }, user, authTime: session.authTime }
}
