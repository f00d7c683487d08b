import type { FastifyInstance } from 'fastify'
import type { ServerServices } from '../../container.ts'
import {
  addressOf,
  claimsOfScopes,
  givesIdTokens,
  issuerPath,
  type Path,
  type Settings
} from '../../options/settings.ts'
import type { Assertions } from '../clients/assertions.ts'
import { clientAuthMethods } from '../clients/client.ts'
import { grantOfResponse, implicit, tokenGrants } from '../grants/grant-table.ts'
import type { TokenSigner } from '../keys/signing-key.ts'
import { type Endpoint, endpointTable } from './endpoint-table.ts'

type MetadataServices = Pick<ServerServices, 'assertions' | 'keys' | 'settings'>

const endpoints: readonly Endpoint[] = Object.values(endpointTable)

/** Values of `grant_type`, with that of the grant that has no endpoint last. */
function supportedGrants({ grantTypes }: Settings): readonly string[] {
  return [...tokenGrants.keys(), implicit.type].filter((type) => grantTypes.has(type))
}

function responseTypes({ grantTypes }: Settings): readonly string[] {
  return Object.entries(grantOfResponse).flatMap(([name, { type }]) => (grantTypes.has(type) ? [name] : []))
}

/** The addresses that clients are told, by the member that has them. */
function addresses({ issuer = '', paths, options }: Settings): Readonly<Record<string, string>> {
  const isOpenId = givesIdTokens(options)
  const rows: readonly (readonly [name: string | undefined, path: Path])[] = [
    ...endpoints.map(({ metadata, path }) => [metadata, paths[path]] as const),
    ['jwks_uri', paths.jwks],
    ['end_session_endpoint', isOpenId && options.session !== false ? paths.logout : undefined]
  ]
  return Object.fromEntries(
    rows.flatMap(([name, path]) => (name === undefined || path === undefined ? [] : [[name, addressOf(issuer, path)]]))
  )
}

/** How clients prove who they are, by endpoint. Public clients cannot introspect. */
function authentication({ algorithms }: Assertions): Readonly<Record<string, unknown>> {
  const methods = clientAuthMethods.filter((method) => method !== 'none')
  const members = ['token', 'revocation', 'introspection'].flatMap((name) => [
    [`${name}_endpoint_auth_methods_supported`, name === 'introspection' ? methods : clientAuthMethods] as const,
    [`${name}_endpoint_auth_signing_alg_values_supported`, algorithms] as const
  ])
  return Object.fromEntries(members)
}

/** What only clients of OpenID Connect are told. @see OpenID Connect Discovery 1.0 section 3 */
function openIdMembers({ algorithm }: TokenSigner): Readonly<Record<string, unknown>> {
  return {
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
  }
}

/** What clients are told about the server. @see RFC 8414 section 2 */
function serverMetadata({ settings, keys, assertions }: MetadataServices): Readonly<Record<string, unknown>> {
  const { issuer, scopes, grantTypes } = settings
  return {
    issuer,
    ...addresses(settings),
    response_types_supported: responseTypes(settings),
    response_modes_supported: ['query', ...(grantTypes.has(implicit.type) ? ['fragment'] : [])],
    grant_types_supported: supportedGrants(settings),
    ...authentication(assertions),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...(scopes.size === 0 ? {} : { scopes_supported: [...scopes] }),
    ...(keys === undefined ? {} : openIdMembers(keys))
  }
}

/**
 * Where the metadata of an issuer is: between its host and its path, and below its path.
 * @see RFC 8414 section 3; OpenID Connect Discovery 1.0, section 4
 */
function metadataPaths(issuer: string, name: string): ReadonlySet<string> {
  const path = issuerPath(issuer)
  return new Set([`/.well-known/${name}${path}`, `${path}/.well-known/${name}`])
}

/** Publishes the server's metadata for clients; nothing if it has no issuer. */
export function addMetadata(app: FastifyInstance, services: MetadataServices): void {
  const { issuer, options } = services.settings
  if (issuer === undefined) return
  const metadata = serverMetadata(services)
  const body = JSON.stringify(metadata)
  for (const path of metadataPaths(issuer, 'oauth-authorization-server'))
    app.get(path, async (_request, reply) => reply.type('application/json').send(body))
  if (!givesIdTokens(options)) return
  for (const path of metadataPaths(issuer, 'openid-configuration')) app.get(path, async () => metadata)
}
