import { isPlainObject } from '@modelwire/core/plugin'
import { KeysUnavailable } from './resource-errors.ts'
import { fetchJson } from './fetch-json.ts'

/** What of an authorization server's metadata is used. */
export interface ServerMetadata {
  readonly jwksUri: string | undefined
  readonly introspectionEndpoint: string | undefined
}

/** Where metadata may be: of OAuth, then of OpenID Connect. @see RFC 8414 section 3 */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`
  ]
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

async function readMetadata(address: string, issuer: string, timeout: number): Promise<ServerMetadata> {
  const { status, body } = await fetchJson(address, { timeout })
  // Another server's metadata would make its keys those of this one.
  if (status !== 200 || !isPlainObject(body) || body['issuer'] !== issuer)
    throw new KeysUnavailable(`${address} answers ${status}, or names another issuer`)
  return { jwksUri: textOf(body['jwks_uri']), introspectionEndpoint: textOf(body['introspection_endpoint']) }
}

/**
 * Reads the metadata of an authorization server.
 * @param timeout seconds
 * @throws {KeysUnavailable} there is none, or it is another server's
 */
export async function discoverServer(issuer: string, timeout: number): Promise<ServerMetadata> {
  try {
    return await Promise.any(metadataAddresses(issuer).map((address) => readMetadata(address, issuer, timeout)))
  } catch (cause) {
    throw new KeysUnavailable('the metadata of the authorization server cannot be read', { cause })
  }
}
