import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.ts'
import type { Client } from '../clients/client.ts'
import { GrantNotAllowed, GrantTypeMissing, InvalidClient, UnsupportedGrantType } from '../errors.ts'
import type { Grant } from '../grants/grant.ts'
import { mayUseGrant } from '../grants/grant-kind.ts'
import { bodyParameters, type Parameters } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import { noStore } from '../http/send-error.ts'
import type { ServerParts } from '../server-parts.ts'
import { tokenBody } from '../tokens/issue-token.ts'

/** The grant of a request. */
function grantOf({ grants, settings }: ServerParts, type: string | undefined): Grant {
  if (type === undefined) throw new GrantTypeMissing('the parameter grant_type is missing')
  const grant = grants.get(type)
  if (grant === undefined || !settings.grantTypes.has(type)) throw new UnsupportedGrantType('unsupported grant_type')
  return grant
}

/** The client, which a grant may name, too: an assertion does. */
async function clientOf(parts: ServerParts, request: FastifyRequest, parameters: Parameters): Promise<Client> {
  const brings = (name: string): boolean => parameters.one(name) !== undefined
  const isKnownOtherwise =
    request.headers.authorization !== undefined || brings('client_secret') || brings('client_assertion')
  const grant = isKnownOtherwise ? undefined : parts.grants.get(parameters.one('grant_type') ?? '')
  const named = await grant?.findClient?.(parts, parameters)
  return named ?? (await authenticateClient(parts, request, parameters, parts.verifyAssertion)).client
}

/** @throws {GrantNotAllowed} the client is registered for other grants, or is public and cannot prove who it is */
function checkGrant({ settings }: ServerParts, client: Client, grant: Grant): void {
  if (client.isPublic && !grant.allowsPublic) throw new InvalidClient('a public client cannot use this grant')
  // The code was issued for this grant: a client that may not use it never gets one.
  if (grant.isCheckedBefore !== true && !mayUseGrant(settings, client, grant.type))
    throw new GrantNotAllowed('the client may not use this grant')
}

/** Answers `POST` of the token endpoint. @see RFC 6749 section 3.2 */
export async function token(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // Parameters count in the body alone: addresses end up in logs.
  const parameters = checkTexts(bodyParameters(request))
  const client = await clientOf(parts, request, parameters)
  const grant = grantOf(parts, parameters.one('grant_type'))
  checkGrant(parts, client, grant)
  parameters.check(new Set(grant.parameters))
  const issued = await grant.issue({ parts, client, parameters, request })
  const body = tokenBody(issued)
  if (grant.tokenType !== undefined) body['token_type'] = grant.tokenType
  return reply.headers(noStore).type('application/json').send(body)
}
