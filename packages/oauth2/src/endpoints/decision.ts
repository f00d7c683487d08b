import type { FastifyReply, FastifyRequest } from 'fastify'
import { PermissionDenied, PermittedGrantNotAllowed, TransactionMissing } from '../errors.ts'
import { mayUseGrant } from '../grants/grant-kind.ts'
import { grantOfResponse } from '../grants/response-types.ts'
import { bodyParameters, firstOf, queryParameters } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import type { ServerParts } from '../server-parts.ts'
import { checkClientScopes } from '../tokens/scopes.ts'
import { answerClient, failClient, refuseClient } from './answer-client.ts'
import { grantAuthorization } from './grant-authorization.ts'
import { endTransaction } from './transactions.ts'

/**
 * Answers `POST` of the decision endpoint: the user's decision on the consent page.
 * @see loopback-component-oauth2: transaction_id in query or body, any `cancel` means no
 */
export async function decision(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { interaction, settings } = parts
  const session = await interaction.signedIn(request)
  if (session === undefined) return interaction.askLogin(request, reply, '/')
  interaction.checkCsrf(request)
  const parameters = checkTexts(firstOf(queryParameters(request), bodyParameters(request)))
  const id = parameters.one('transaction_id')
  if (id === undefined) throw new TransactionMissing('the parameter transaction_id is missing')
  const permitted = await endTransaction(parts, id, session)
  const { client, scopes, responseType } = permitted.request
  if (parameters.one('cancel') !== undefined) return deny(parts, reply, permitted.request.answerTo)
  // LB3: thrown here instead of in the authorization request; pinned by the recorded pairs.
  if (settings.rules.checksGrantAtDecision && !mayUseGrant(settings, client, grantOfResponse[responseType].type))
    throw new PermittedGrantNotAllowed('the client may not use this grant')
  try {
    checkClientScopes(settings, client, scopes)
    await parts.permissions.save(client.id, permitted.user.id, scopes)
    return await grantAuthorization(parts, reply, permitted)
  } catch (thrown) {
    return failClient(settings, { request, reply }, permitted.request.answerTo, thrown)
  }
}

/** LB3: without a description; pinned by the recorded pairs. */
function deny(
  { settings }: ServerParts,
  reply: FastifyReply,
  answerTo: Parameters<typeof answerClient>[2]
): FastifyReply {
  if (settings.rules.deniesWithoutDescription)
    return answerClient(settings, reply, answerTo, { error: 'access_denied' })
  return refuseClient(settings, reply, answerTo, new PermissionDenied('the user denied the request'))
}
