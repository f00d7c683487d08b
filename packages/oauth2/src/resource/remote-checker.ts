import { createLocalJWKSet } from 'jose'
import type { ResourceServerSettings } from '../options/resource-server-options.ts'
import { looksLikeJwt, verifyingAlgorithms } from '../tokens/verify-jwt.ts'
import { introspectionChecker } from './introspection-checker.ts'
import { jwtChecker } from './jwt-checker.ts'
import { remoteKeys } from './remote-keys.ts'
import type { CheckToken } from './token-access.ts'

/** Names of the resource. */
export function audienceOf({ audience }: ResourceServerSettings): readonly [string, ...string[]] {
  const [first = '', ...others] = [audience].flat()
  return [first, ...others]
}

function jwtsOf(options: ResourceServerSettings): CheckToken | undefined {
  const { issuer, jwks, jwksUri, allowHttp, keysCacheFor, timeout, rememberTokens } = options
  if (jwks === false) return undefined
  const findKey =
    jwks === undefined
      ? remoteKeys({ issuer, jwksUri, allowHttp, cacheFor: keysCacheFor, timeout })
      : createLocalJWKSet({ keys: jwks.keys })
  return jwtChecker({
    issuer,
    audience: audienceOf(options),
    algorithms: options.algorithms ?? verifyingAlgorithms,
    clockTolerance: options.clockTolerance,
    findKey,
    remember: rememberTokens,
    rememberFor: keysCacheFor
  })
}

function questionsOf(options: ResourceServerSettings): CheckToken | undefined {
  const { introspection, issuer, allowHttp, timeout } = options
  if (introspection === undefined) return undefined
  const { cacheFor, cacheEntries } = introspection
  return introspectionChecker({
    ...introspection,
    issuer,
    allowHttp,
    audience: audienceOf(options),
    cacheFor,
    cacheEntries,
    timeout
  })
}

/**
 * Makes the function that checks tokens of an authorization server in another process: JWTs by its keys, others by
 * introspection. Undefined where options allow neither.
 * @throws {AddressInsecure} it would be requested without TLS
 */
export function remoteChecker(options: ResourceServerSettings): CheckToken | undefined {
  const jwts = jwtsOf(options)
  const questions = questionsOf(options)
  if (jwts === undefined || questions === undefined) return jwts ?? questions
  return (token) => (looksLikeJwt(token) ? jwts(token) : questions(token))
}
