import type { FastifyRequest } from 'fastify'
import { CredentialsMalformed, InvalidClient, InvalidRequest } from '../../errors.ts'
import type { GuessLimits } from '../../http/limits.ts'
import type { Parameters } from '../../http/parameters.ts'
import type { Assertions } from './assertions.ts'
import type { ClientDirectory } from './client-directory.ts'
import type { Client, ClientAuthMethod } from './client.ts'

/** Credentials of a client. */
interface Credentials {
  readonly id: string
  readonly secret: string
}

const form = /^Basic ([A-Za-z0-9+/_-]+=*)$/i

/** A client and how it authenticated. */
interface AuthenticatedClient {
  readonly client: Client
  readonly method: ClientAuthMethod
}

/** Finds clients, counts guesses of their secrets, and verifies their assertions. */
interface ProofServices {
  readonly clients: ClientDirectory
  readonly guesses: GuessLimits
  readonly assertions: Assertions
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
  { clients, guesses }: ProofServices,
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
  { clients, guesses }: ProofServices,
  request: FastifyRequest,
  id: string | undefined,
  secret: string
): Promise<AuthenticatedClient> {
  if (id === undefined) throw new InvalidRequest('the parameter client_id is missing')
  const client = await guesses.secret(request, id, () => clients.authenticate(id, secret))
  return checkMethod(client, 'client_secret_post')
}

async function byAssertion(
  { assertions }: ProofServices,
  parameters: Parameters,
  claimed: string | undefined
): Promise<AuthenticatedClient> {
  const assertion = parameters.one('client_assertion')
  if (parameters.one('client_assertion_type') !== assertionType || assertion === undefined)
    throw new CredentialsMalformed(
      'client_assertion and client_assertion_type must be sent together, with a supported type'
    )
  const client = await assertions.prove(assertion)
  if (claimed !== undefined && claimed !== client.id) throw refuse()
  return checkMethod(client, 'private_key_jwt')
}

async function byId({ clients }: ProofServices, id: string | undefined): Promise<AuthenticatedClient> {
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
  services: ProofServices,
  request: FastifyRequest,
  parameters: Parameters
): Promise<AuthenticatedClient> {
  const { authorization } = request.headers
  const claimed = parameters.one('client_id')
  const secret = parameters.one('client_secret')
  const asserts = ['client_assertion', 'client_assertion_type'].some((name) => parameters.one(name) !== undefined)
  const ways = [authorization !== undefined, secret !== undefined, asserts].filter(Boolean).length
  if (ways > 1) throw new InvalidRequest('use only one method of client authentication')
  if (authorization !== undefined) return byBasic(services, request, authorization, claimed)
  if (secret !== undefined) return byPost(services, request, claimed, secret)
  return asserts ? byAssertion(services, parameters, claimed) : byId(services, claimed)
}

/** A form-encoded text, or undefined for one that is not. */
function formDecode(text: string): string | undefined {
  if (!/[+%]/.test(text)) return text
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? undefined : decoded // No database looks for a null.
  } catch {
    return undefined // A percent sign of a raw secret: the raw reading follows.
  }
}

/**
 * The credentials of an `Authorization` header, in both interpretations: form-encoded first, then raw.
 * @throws {CredentialsMalformed} it is not a Basic header
 * @see RFC 6749 section 2.3.1, RFC 7617
 */
export function readBasic(header: string): readonly Credentials[] {
  const encoded = form.exec(header)?.[1]
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
  const at = text?.indexOf(':') ?? -1
  if (text === undefined || at < 1 || text.includes('\0'))
    throw new CredentialsMalformed('the Authorization header has no Basic credentials')
  const raw = { id: text.slice(0, at), secret: text.slice(at + 1) }
  const id = formDecode(raw.id)
  const secret = formDecode(raw.secret)
  const isSame = id === raw.id && secret === raw.secret
  return id === undefined || secret === undefined || isSame ? [raw] : [{ id, secret }, raw]
}
