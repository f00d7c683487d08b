import type { FastifyRequest } from 'fastify'
import {
  ClientNotFound,
  GrantNotAllowed,
  InvalidRequest,
  RedirectUriNotAllowed,
  RequestNotSupported,
  RequestUriNotSupported,
  ResponseTypeNotAllowed,
  UnsupportedResponseType
} from '../../errors.ts'
import { bodyParameters, firstOf, type Parameters, queryParameters, required } from '../../http/parameters.ts'
import { mayUseGrant } from '../../options/grant-kind.ts'
import type { Settings } from '../../options/settings.ts'
import type { ClientDirectory } from '../clients/client-directory.ts'
import type { Client } from '../clients/client.ts'
import { isNative, isRegistrable, matchesRedirectUri } from '../clients/redirect-uris.ts'
import { grantOfResponse, type ResponseType } from '../grants/grant-table.ts'
import { readChallenge } from '../tokens/pkce.ts'
import { readResources, readScopes } from '../tokens/scopes.ts'

/** Where the response to an authorization request is sent. */
export interface AnswerTo {
  readonly redirectUri: string
  readonly state: string | undefined
  /** Tokens are never sent in a query. */
  readonly mode: 'query' | 'fragment'
}

/** A valid authorization request. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly responseType: ResponseType
  readonly answerTo: AnswerTo
  /** As given in the request; absent if the registered one was used. */
  readonly requestedRedirectUri: string | undefined
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly challenge: string | undefined
  readonly nonce: string | undefined
  readonly prompt: ReadonlySet<string>
  /** Maximum age of the login in seconds. */
  readonly maxAge: number | undefined
}

/** The parameters of a request: in the query, and in the body of a POST if that is allowed. */
export function authorizationParameters(settings: Settings, request: FastifyRequest): Parameters {
  const query = queryParameters(request)
  const usesBody = request.method === 'POST' && settings.options.allowsPostForAuthorization
  return usesBody ? firstOf(query, bodyParameters(request)) : query
}

/**
 * The client of a request.
 * @throws {InvalidRequest} none is named
 * @throws {ClientNotFound} there is none of this name
 */
export async function clientOf(clients: ClientDirectory, parameters: Parameters): Promise<Client> {
  const client = await clients.find(required(parameters, 'client_id'))
  if (client === undefined) throw new ClientNotFound('unknown client')
  return client
}

/**
 * The redirect URI of a request: a registered one, or the first one by default.
 * @throws {RedirectUriNotAllowed} another one, or none where several are registered
 */
export function redirectUriOf(settings: Settings, client: Client, requested: string | undefined): string {
  const { redirectUris } = client
  const [first, ...others] = redirectUris
  const isOpen = settings.options.allowUnregisteredRedirects && first === undefined
  if (requested !== undefined) {
    if (isOpen ? isRegistrable(requested) : matchesRedirectUri(requested, redirectUris)) return requested
    throw new RedirectUriNotAllowed('the redirect URI is not registered')
  }
  // LB3: the first of several is taken; pinned by the recorded pairs.
  if (first === undefined || (others.length > 0 && !settings.rules.takesFirstRedirect) || !isRegistrable(first))
    throw new InvalidRequest('the parameter redirect_uri is missing')
  return first
}

const isResponseType = (text: string): text is ResponseType => Object.hasOwn(grantOfResponse, text)

/** @throws {ResponseTypeNotAllowed} the client is registered for others; likewise {@link UnsupportedResponseType} */
function readResponseType(settings: Settings, client: Client, parameters: Parameters): ResponseType {
  const type = required(parameters, 'response_type')
  if (!isResponseType(type) || !settings.grantTypes.has(grantOfResponse[type].type))
    throw new UnsupportedResponseType('unsupported response_type')
  if (client.responseTypes.length > 0 && !client.responseTypes.includes(type))
    throw new ResponseTypeNotAllowed('the client may not use this response type')
  // LB3: checked when the code is made; pinned by the recorded pairs.
  if (!settings.rules.checksGrantAtDecision && !mayUseGrant(settings, client, grantOfResponse[type].type))
    throw new GrantNotAllowed('the client may not use this grant')
  return type
}

function readMaxAge(parameters: Parameters): number | undefined {
  const text = parameters.one('max_age')
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new InvalidRequest('max_age must be a whole number of seconds')
  return Number(text)
}

/** `none` stands alone; `max_age=0` requires a login. @see OpenID Connect Core, section 3.1.2.1 */
function readPrompt(parameters: Parameters): ReadonlySet<string> {
  const prompt = new Set((parameters.one('prompt') ?? '').split(' ').filter((word) => word !== ''))
  if (prompt.has('none') && prompt.size > 1)
    throw new InvalidRequest('prompt=none cannot be combined with other values')
  // Another account is chosen by logging in with it.
  const isNew = readMaxAge(parameters) === 0 || prompt.has('select_account')
  return isNew ? prompt.add('login') : prompt
}

/** Refuses what this server has not, rather than doing something else than the client relies on. */
function refuseUnsupported(parameters: Parameters, mode: AnswerTo['mode']): void {
  if (parameters.one('request') !== undefined) throw new RequestNotSupported('the parameter request is not supported')
  if (parameters.one('request_uri') !== undefined)
    throw new RequestUriNotSupported('the parameter request_uri is not supported')
  const wanted = parameters.one('response_mode')
  if (wanted !== undefined && wanted !== mode) throw new InvalidRequest('unsupported response_mode')
}

/** Validates the rest of a request. Its errors may be sent to the redirect URI. */
export function readAuthorizationRequest(
  settings: Settings,
  client: Client,
  parameters: Parameters,
  answerTo: AnswerTo
): AuthorizationRequest {
  const responseType = readResponseType(settings, client, parameters)
  refuseUnsupported(parameters, answerTo.mode)
  const scopes = readScopes(settings, client, grantOfResponse[responseType], parameters.one('scope'))
  const needsChallenge = responseType === 'code' && (client.isPublic || settings.pkceRequired)
  const pkce = { challenge: parameters.one('code_challenge'), method: parameters.one('code_challenge_method') }
  return {
    client,
    responseType,
    answerTo,
    requestedRedirectUri: parameters.one('redirect_uri'),
    scopes,
    resources: readResources(settings, parameters, undefined),
    challenge: readChallenge(pkce, needsChallenge),
    nonce: parameters.one('nonce'),
    prompt: readPrompt(parameters),
    maxAge: readMaxAge(parameters)
  }
}

/** True if a stored consent is insufficient: another program may listen at the address of a public client. */
export function needsConsentAgain({ client, answerTo }: AuthorizationRequest): boolean {
  return client.isPublic && isNative(answerTo.redirectUri)
}
