import { addressOf } from '../http/address-of.ts'
import type { FastifyInstance } from 'fastify'
import { addBodyParsers } from '../http/body-parsers.ts'
import { limitRate } from '../http/limit-rate.ts'
import { sendError } from '../http/send-error.ts'
import { metadataPaths, serverMetadata } from '../endpoints/metadata.ts'
import type { ServerParts } from '../server-parts.ts'
import { makeIdToken } from './id-token.ts'
import { claimsOfScopes } from './user-claims.ts'
import { userinfo } from './userinfo.ts'

/** The metadata of discovery beside that of OAuth. @see OpenID Connect Discovery 1.0 section 3 */
function addMetadata({ moreMetadata, settings }: ServerParts, issuer: string, algorithm: string): void {
  const { paths, options } = settings
  Object.assign(moreMetadata, {
    ...(paths.userinfo === undefined ? {} : { userinfo_endpoint: addressOf(issuer, paths.userinfo) }),
    ...(paths.logout === undefined || options.session === false
      ? {}
      : { end_session_endpoint: addressOf(issuer, paths.logout) }),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      ...Object.values(claimsOfScopes).flat()
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false
  })
}

async function addUserinfo(scope: FastifyInstance, parts: ServerParts, url: string): Promise<void> {
  await addBodyParsers(scope)
  scope.setErrorHandler((error, request, reply) => sendError(request, reply, error, { answersAsOriginal: false }))
  await limitRate(scope, parts, 'openid')
  scope.route({ method: ['GET', 'POST'], url, handler: (request, reply) => userinfo(parts, request, reply) })
}

/**
 * Adds OpenID Connect: ID tokens beside access tokens, the userinfo endpoint and discovery. Only where the server has an
 * issuer and keys to sign with.
 */
export async function installOpenId(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { signer, settings, responseExtras } = parts
  const { issuer, paths, options } = settings
  if (signer === undefined || issuer === undefined) return
  addMetadata(parts, issuer, signer.algorithm)
  const maker = { signer, issuer, lifetime: options.idTokenLifetime }
  responseExtras.push(async (issued) => {
    const idToken = await makeIdToken(maker, issued)
    return idToken === undefined ? {} : { id_token: idToken }
  })
  const { userinfo: url } = paths
  if (url !== undefined) await app.register(async (scope) => addUserinfo(scope, parts, url))
  // Grants and metadata of other parts come after this one.
  for (const path of metadataPaths(issuer, 'openid-configuration')) app.get(path, async () => serverMetadata(parts))
}
