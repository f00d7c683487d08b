import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import { discoverServer } from './discover-server.ts'
import { readText } from './fetch-json.ts'
import { KeysUnavailable } from './resource-errors.ts'
import { secureAddress } from './secure-address.ts'

/** Where the keys of an authorization server are found. */
export interface RemoteKeys {
  readonly issuer: string
  /** Found in the metadata of the issuer when absent. */
  readonly jwksUri?: string | undefined
  readonly allowHttp?: boolean | undefined
  /** Seconds that a read set is kept. */
  readonly cacheFor: number
  /** Seconds. */
  readonly timeout: number
}

/** Seconds after which an unknown key may make this server fetch again: tokens with made-up keys do not. */
const coolDown = 30
/** Milliseconds until an authorization server that could not be found is looked for again. */
const retryAfter = 5000

/** Fetches as jose does, and limits the size of the answer. */
const fetchBounded: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options)
  return new Response(await readText(response), { status: response.status })
}

function keySet(address: string, { allowHttp, cacheFor, timeout }: RemoteKeys): JWTVerifyGetKey {
  return createRemoteJWKSet(secureAddress(address, 'jwksUri', allowHttp), {
    cacheMaxAge: cacheFor * 1000,
    cooldownDuration: coolDown * 1000,
    timeoutDuration: timeout * 1000,
    [customFetch]: fetchBounded
  })
}

/**
 * Keys of another server, read when they are first needed and when a token has an unknown one.
 * @throws {AddressInsecure} an address is not of TLS
 */
export function remoteKeys(remote: RemoteKeys): JWTVerifyGetKey {
  const { issuer, jwksUri, allowHttp, timeout } = remote
  if (jwksUri !== undefined) return keySet(jwksUri, remote)
  secureAddress(issuer, 'issuer', allowHttp)
  let finding: Promise<JWTVerifyGetKey> | undefined
  let failedAt = 0
  const find = async (): Promise<JWTVerifyGetKey> => {
    try {
      const { jwksUri: found } = await discoverServer(issuer, timeout)
      if (found === undefined) throw new KeysUnavailable('the authorization server publishes no keys')
      return keySet(found, remote)
    } catch (error) {
      failedAt = Date.now()
      finding = undefined
      throw error
    }
  }
  return async (header, token) => {
    if (finding === undefined && Date.now() - failedAt < retryAfter)
      throw new KeysUnavailable('the authorization server was not found a moment ago')
    finding ??= find()
    const keys = await finding
    return keys(header, token)
  }
}
