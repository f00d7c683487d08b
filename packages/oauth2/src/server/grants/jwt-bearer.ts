import { decodeJwt } from 'jose'
import { CredentialsMalformed, InvalidClient, InvalidGrant, InvalidScope, PermissionDenied } from '../../errors.ts'
import { type Parameters, parseScopes, required } from '../../http/parameters.ts'
import { makeGrantKind } from '../../options/grant-kind.ts'
import { claimedIssuer } from '../clients/assertions.ts'
import type { Client } from '../clients/client.ts'
import { covers } from '../store/permissions.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { readResources, readScopes } from '../tokens/scopes.ts'
import { type Grant, type GrantRequest, type GrantServices, permittedUser } from './grant.ts'

const kind = makeGrantKind({
  type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  title: 'JWT',
  isRefreshable: false,
  isLoopbackRefreshable: false
})

/** LB3: an assertion that lacks a claim is a malformed credential; pinned by the recorded pairs. */
function checkForm(assertion: string): void {
  try {
    const { iss, sub, aud, exp } = decodeJwt(assertion)
    if ([iss, sub, aud, exp].every((claim) => claim !== undefined)) return
  } catch (cause) {
    throw new CredentialsMalformed('the assertion is malformed', { cause })
  }
  throw new CredentialsMalformed('the assertion lacks a required claim')
}

/**
 * The client of a request that brings nothing but its assertion: the issuer, which the grant then makes sure of.
 * @throws {InvalidGrant} unknown client
 * @see RFC 7521 section 4.1
 */
async function clientOfAssertion({ clients, settings }: GrantServices, parameters: Parameters): Promise<Client> {
  const assertion = required(parameters, 'assertion')
  if (settings.rules.authenticatesByGrant) checkForm(assertion)
  const client = await clients.find(claimedIssuer(assertion, 'grant'))
  const claimed = parameters.one('client_id')
  if (client === undefined || (claimed !== undefined && claimed !== client.id))
    throw settings.rules.authenticatesByGrant
      ? new InvalidClient('the assertion cannot be verified')
      : new InvalidGrant('the assertion cannot be verified')
  return client
}

async function verify({ services, client, parameters, request }: GrantRequest) {
  const assertion = required(parameters, 'assertion')
  const { id: clientId, jwks: keys, jwksUri: keysAt } = client
  const presented = { assertion, kind: 'grant', clientId, keys, keysAt } as const
  try {
    return await services.assertions.verify(presented)
  } catch (error) {
    // LB3: the assertion is the client's authentication, and fails as such; pinned by the recorded pairs.
    const isAuthentication = services.settings.rules.authenticatesByGrant && request.headers.authorization === undefined
    if (!(error instanceof InvalidGrant) || !isAuthentication) throw error
    throw new InvalidClient('client authentication failed', { cause: error })
  }
}

/** The scopes of the assertion, or those of the request within them. */
function scopesOf(parameters: Parameters, named: readonly string[]): readonly string[] {
  const requested = parseScopes(parameters.one('scope'))
  const inOrder = parseScopes(named.join(' '))
  if (requested.length === 0) return inOrder
  if (inOrder.length > 0 && !covers(inOrder, requested))
    throw new InvalidScope('the requested scope exceeds that of the assertion')
  return requested
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { services, client, parameters } = request
  const { subject, scopes: named, claims } = await verify(request)
  const scopes = readScopes(services.settings, client, kind, scopesOf(parameters, named).join(' '))
  const resources = readResources(services.settings, parameters, undefined)
  const user = await permittedUser(request, subject, scopes)
  if (user === undefined) throw new PermissionDenied('the user has not granted permission')
  return services.issueTokens({
    client,
    userId: user.id,
    user,
    scopes,
    resources,
    grant: kind,
    details: { claims }
  })
}

/**
 * Issues a token for a user who has consented to it, by an assertion of the client.
 * @see RFC 7523 section 2.1
 */
export const jwtBearer: Grant = {
  ...kind,
  allowsPublic: false,
  issue,
  findClient: async (services, parameters) =>
    parameters.one('assertion') === undefined ? undefined : clientOfAssertion(services, parameters),
  tokenType: 'bearer'
}
