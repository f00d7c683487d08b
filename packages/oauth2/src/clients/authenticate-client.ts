import type { FastifyRequest } from 'fastify'
import { CredentialsMalformed, InvalidClient, InvalidRequest } from '../errors.ts'
import type { Parameters } from '../http/parameters.ts'
import type { OAuth2Parts } from '../parts.ts'
import type { Client, ClientAuthMethod } from './client.ts'
import { readBasic } from './read-basic.ts'

/** Proves a client by an assertion; gives its id. @throws {InvalidClient} */
export type VerifyClientAssertion = (assertion: string, parameters: Parameters) => Promise<Client>

/** A client and how it proved who it is. */
export interface AuthenticatedClient {
  readonly client: Client
  readonly method: ClientAuthMethod
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const refuse = (): InvalidClient => new InvalidClient('client authentication failed')

/** A client that may use this method. */
function checkMethod(client: Client | undefined, method: ClientAuthMethod): AuthenticatedClient {
  if (client === undefined) throw refuse()
  const { authMethods, isPublic } = client
  const isAllowed = authMethods.length === 0 ? isPublic === (method === 'none') : authMethods.includes(method)
  // A secret in the header and one in the body prove the same: which of them is a matter of the client's library.
  const isSecret = method !== 'none' && method !== 'private_key_jwt' && !isPublic
  const isOtherSecret = isSecret && authMethods.some((name) => name.startsWith('client_secret'))
  if (!isAllowed && !isOtherSecret) throw refuse()
  return { client, method }
}

/** Basic credentials: form-encoded as in RFC 6749 section 2.3.1, else raw as many clients send them. */
async function byBasic(
  { clients, guesses }: OAuth2Parts,
  request: FastifyRequest,
  header: string,
  claimed: string | undefined
): Promise<AuthenticatedClient> {
  for (const { id, secret } of readBasic(header)) {
    if (claimed !== undefined && claimed !== id) continue
    const client = await guesses.secret(request, id, () => clients.authenticate(id, secret))
    if (client !== undefined) return checkMethod(client, 'client_secret_basic')
  }
  throw refuse()
}

async function byPost(
  { clients, guesses }: OAuth2Parts,
  request: FastifyRequest,
  id: string | undefined,
  secret: string
): Promise<AuthenticatedClient> {
  if (id === undefined) throw new InvalidRequest('the parameter client_id is missing')
  const client = await guesses.secret(request, id, () => clients.authenticate(id, secret))
  return checkMethod(client, 'client_secret_post')
}

async function byAssertion(
  parameters: Parameters,
  verify: VerifyClientAssertion | undefined,
  claimed: string | undefined
): Promise<AuthenticatedClient> {
  const assertion = parameters.one('client_assertion')
  if (parameters.one('client_assertion_type') !== assertionType || assertion === undefined || verify === undefined)
    throw new CredentialsMalformed(
      'client_assertion and client_assertion_type must be sent together, with a supported type'
    )
  const client = await verify(assertion, parameters)
  if (claimed !== undefined && claimed !== client.id) throw refuse()
  return checkMethod(client, 'private_key_jwt')
}

async function byId({ clients }: OAuth2Parts, id: string | undefined): Promise<AuthenticatedClient> {
  if (id === undefined) throw refuse()
  return checkMethod(await clients.find(id), 'none')
}

/**
 * The client of a request to the token, revocation or introspection endpoint.
 * @throws {InvalidClient} it did not prove who it is
 * @throws {InvalidRequest} it tries in several ways at once
 * @see RFC 6749 section 2.3, RFC 7523 section 2.2
 */
export async function authenticateClient(
  parts: OAuth2Parts,
  request: FastifyRequest,
  parameters: Parameters,
  verify: VerifyClientAssertion | undefined
): Promise<AuthenticatedClient> {
  const { authorization } = request.headers
  const claimed = parameters.one('client_id')
  const secret = parameters.one('client_secret')
  const asserts = ['client_assertion', 'client_assertion_type'].some((name) => parameters.one(name) !== undefined)
  const ways = [authorization !== undefined, secret !== undefined, asserts].filter(Boolean).length
  if (ways > 1) throw new InvalidRequest('use only one method of client authentication')
  if (authorization !== undefined) return byBasic(parts, request, authorization, claimed)
  if (secret !== undefined) return byPost(parts, request, claimed, secret)
  return asserts ? byAssertion(parameters, verify, claimed) : byId(parts, claimed)
}
