import type { FastifyReply, FastifyRequest } from 'fastify'
import { GrantNotAllowed, GrantTypeMissing, InvalidClient, UnsupportedGrantType } from '../../errors.ts'
import { bodyParameters, checkTexts, type Parameters } from '../../http/parameters.ts'
import { noStore } from '../../http/send-error.ts'
import { mayUseGrant } from '../../options/grant-kind.ts'
import type { Settings } from '../../options/settings.ts'
import { authenticateClient } from '../clients/authenticate-client.ts'
import type { Client } from '../clients/client.ts'
import { tokenGrants } from '../grants/grant-table.ts'
import type { Grant, GrantServices } from '../grants/grant.ts'
import { tokenBody } from '../tokens/issue-token.ts'

type Grants = ReadonlyMap<string, Grant>

/** The grant of a request. */
function grantOf(settings: Settings, grants: Grants, type: string | undefined): Grant {
  if (type === undefined) throw new GrantTypeMissing('the parameter grant_type is missing')
  const grant = grants.get(type)
  if (grant === undefined || !settings.grantTypes.has(type)) throw new UnsupportedGrantType('unsupported grant_type')
  return grant
}

/** The client, which a grant may name, too: an assertion does. */
async function clientOf(
  services: GrantServices,
  grants: Grants,
  request: FastifyRequest,
  parameters: Parameters
): Promise<Client> {
  const brings = (name: string): boolean => parameters.one(name) !== undefined
  const isKnownOtherwise =
    request.headers.authorization !== undefined || brings('client_secret') || brings('client_assertion')
  const grant = isKnownOtherwise ? undefined : grants.get(parameters.one('grant_type') ?? '')
  const named = await grant?.findClient?.(services, parameters)
  return named ?? (await authenticateClient(services, request, parameters)).client
}

/** @throws {GrantNotAllowed} the client is registered for other grants, or is public and cannot prove who it is */
function checkGrant(settings: Settings, client: Client, grant: Grant): void {
  if (client.isPublic && !grant.allowsPublic) throw new InvalidClient('a public client cannot use this grant')
  // The code was issued for this grant: a client that may not use it never gets one.
  if (grant.isCheckedBefore !== true && !mayUseGrant(settings, client, grant.type))
    throw new GrantNotAllowed('the client may not use this grant')
}

/**
 * Answers `POST` of the token endpoint.
 * @param grants by `grant_type` @see RFC 6749 section 3.2
 */
export async function token(
  services: GrantServices,
  request: FastifyRequest,
  reply: FastifyReply,
  grants: Grants = tokenGrants
): Promise<FastifyReply> {
  // Parameters count in the body alone: addresses end up in logs.
  const parameters = checkTexts(bodyParameters(request))
  const client = await clientOf(services, grants, request, parameters)
  const grant = grantOf(services.settings, grants, parameters.one('grant_type'))
  checkGrant(services.settings, client, grant)
  parameters.check(new Set(grant.parameters))
  const issued = await grant.issue({ services, client, parameters, request })
  const body = tokenBody(issued)
  if (grant.tokenType !== undefined) body['token_type'] = grant.tokenType
  return reply.headers(noStore).type('application/json').send(body)
}
