import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.ts'
import { GrantNotAllowed } from '../errors.ts'
import { mayUseGrant } from '../grants/grant-kind.ts'
import { readResources } from '../grants/read-resources.ts'
import { bodyParameters } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import { noStore } from '../http/send-error.ts'
import type { ServerParts } from '../server-parts.ts'
import { readScopes } from '../tokens/scopes.ts'
import { type DeviceCodes, deviceInterval, deviceLifetime } from './device-codes.ts'
import { deviceCode as grantKind } from './device-grant.ts'

/**
 * Answers a device that wants to be connected: a code for itself, one for its user, and where the user takes it.
 * @param page address of the page for entering the user's code
 * @see RFC 8628 sections 3.1 and 3.2
 */
export async function authorizeDevice(
  parts: ServerParts,
  codes: DeviceCodes,
  page: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply }
): Promise<FastifyReply> {
  const parameters = checkTexts(bodyParameters(request))
  const { client } = await authenticateClient(parts, request, parameters, parts.verifyAssertion)
  if (!mayUseGrant(parts.settings, client, grantKind.type))
    throw new GrantNotAllowed('the client may not use this grant')
  const scopes = readScopes(parts.settings, client, grantKind, parameters.one('scope'))
  const resources = readResources(parts, parameters, undefined)
  const { deviceCode, userCode } = await codes.start({ clientId: client.id, scopes, resources })
  return reply.headers(noStore).send({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: deviceLifetime,
    interval: deviceInterval
  })
}
