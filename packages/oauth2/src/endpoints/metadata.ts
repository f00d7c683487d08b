import type { ServerParts } from '../server-parts.ts'
import { addressOf } from '../http/address-of.ts'
import { implicit } from '../grants/implicit.ts'
import { grantOfResponse } from '../grants/response-types.ts'
import { issuerPath, type Path } from '../settings.ts'

const secretMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** Supported values of `grant_type`. */
function supportedTypes({ settings: { grantTypes }, grants }: ServerParts): readonly string[] {
  return [...grants.keys(), implicit.type].filter((type) => grantTypes.has(type))
}

function responseTypes({ settings: { grantTypes } }: ServerParts): readonly string[] {
  return Object.entries(grantOfResponse).flatMap(([name, { type }]) => (grantTypes.has(type) ? [name] : []))
}

/** What clients learn of the server; undefined where it has no issuer. @see RFC 8414 section 2 */
export function serverMetadata(parts: ServerParts): Readonly<Record<string, unknown>> | undefined {
  const { settings, signer, verifyAssertion } = parts
  const { issuer, paths, scopes } = settings
  if (issuer === undefined) return undefined
  const at = (name: string, path: Path) => (path === undefined ? {} : { [name]: addressOf(issuer, path) })
  const methods = secretMethods.filter((method) => method !== 'private_key_jwt' || verifyAssertion !== undefined)
  const endpoints = verifyAssertion === undefined ? [] : ['token', 'revocation', 'introspection']
  const algorithms = endpoints.map(
    (name) => [`${name}_endpoint_auth_signing_alg_values_supported`, parts.assertionAlgorithms] as const
  )
  return {
    issuer,
    ...at('authorization_endpoint', paths.authorize),
    ...at('token_endpoint', paths.token),
    ...at('revocation_endpoint', paths.revoke),
    ...at('introspection_endpoint', paths.introspect),
    ...(signer === undefined ? {} : at('jwks_uri', paths.jwks)),
    response_types_supported: responseTypes(parts),
    response_modes_supported: ['query', ...(settings.grantTypes.has(implicit.type) ? ['fragment'] : [])],
    grant_types_supported: supportedTypes(parts),
    token_endpoint_auth_methods_supported: [...methods, 'none'],
    ...Object.fromEntries(algorithms),
    revocation_endpoint_auth_methods_supported: [...methods, 'none'],
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...(scopes.size === 0 ? {} : { scopes_supported: [...scopes] }),
    ...parts.moreMetadata
  }
}

/**
 * Where the metadata of an issuer is: between its host and its path, and below its path.
 * @see RFC 8414 section 3; OpenID Connect Discovery 1.0, section 4
 */
export function metadataPaths(issuer: string, name: string): ReadonlySet<string> {
  const path = issuerPath(issuer)
  return new Set([`/.well-known/${name}${path}`, `${path}/.well-known/${name}`])
}
