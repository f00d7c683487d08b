import { createBoundedCache } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { createLocalJWKSet } from 'jose'
import { IntrospectionUnavailable, InvalidToken, TokenExpired } from '../errors.ts'
import { discoverServer, fetchJson, secureAddress } from '../http/fetch-json.ts'
import { remoteKeys } from '../http/remote-keys.ts'
import type { ResourceServerSettings } from '../options/resource-server-options.ts'
import { dateOfClaim, jwtChecker, longestToken, looksLikeJwt, verifyingAlgorithms } from './jwt-checker.ts'
import { type CheckToken, freezeDeep, type TokenAccess } from './token-access.ts'

/** How tokens are introspected at an authorization server. */
interface Introspection {
  readonly issuer?: string | undefined
  /** Read from the metadata of the issuer when absent. */
  readonly url?: string | undefined
  readonly clientId: string
  readonly clientSecret: string
  /** Names of this resource; a token for others is refused. */
  readonly audience: readonly string[]
  /** Seconds that a response is cached; 0: every request is introspected. */
  readonly cacheFor: number
  /** Maximum number of cached responses. */
  readonly cacheEntries: number
  /** Seconds. */
  readonly timeout: number
  readonly allowHttp?: boolean | undefined
}

interface Answer {
  /** Undefined for an inactive token. */
  readonly access: TokenAccess | undefined
  /** Milliseconds. */
  readonly until: number
}

type Members = Readonly<Record<string, unknown>>

const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** @see RFC 6749 section 2.3.1: name and secret are encoded as in a form */
function basic({ clientId, clientSecret }: Introspection): string {
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`
}

const textsIn = (value: unknown): readonly string[] => [value].flat().filter((item) => typeof item === 'string')
const dateOf = (value: unknown): Date | undefined => (typeof value === 'number' ? dateOfClaim(value) : undefined)

/** Refresh tokens are active, too, and have no type. */
const isAccessToken = ({ token_type: type, token_use: use }: Members): boolean =>
  use === 'access_token' || (typeof type === 'string' && type.toLowerCase() === 'bearer')

function isForUs({ aud, iss, cnf }: Members, { audience, issuer }: Introspection): boolean {
  const named = textsIn(aud)
  const isMeant = named.length === 0 || audience.length === 0 || named.some((name) => audience.includes(name))
  return isMeant && cnf === undefined && (iss === undefined || issuer === undefined || iss === issuer)
}

/** The token of an answer; undefined when it is not active for this resource. @see RFC 7662 section 2.2 */
function readAnswer(body: Members, introspection: Introspection): TokenAccess | undefined {
  const { active, client_id: clientId, sub, scope = '', exp, iat, aud } = body
  if (active !== true || !isAccessToken(body) || !isForUs(body, introspection)) return undefined
  if (typeof clientId !== 'string' || typeof scope !== 'string') return undefined
  return {
    clientId,
    userId: sub === clientId ? undefined : sub,
    scopes: scope.split(' ').filter((name) => name !== ''),
    audience: textsIn(aud),
    issuedAt: dateOf(iat),
    expiresAt: dateOf(exp),
    claims: body
  }
}

/** Makes the function that finds the introspection endpoint. */
function addressFinder({ url, issuer, timeout, allowHttp }: Introspection): () => Promise<string> {
  if (url !== undefined) {
    const { href } = secureAddress(url, 'introspection.url', allowHttp)
    return async () => href
  }
  const server = secureAddress(issuer ?? '', 'issuer', allowHttp) && (issuer ?? '')
  let endpoint: string | undefined
  return async () => {
    if (endpoint !== undefined) return endpoint
    const { introspectionEndpoint = '' } = await discoverServer(server, timeout)
    endpoint = secureAddress(introspectionEndpoint, 'introspection.url', allowHttp).href
    return endpoint
  }
}

/** Makes the function that introspects a token. */
function makeIntrospect(introspection: Introspection): (token: string) => Promise<Members> {
  const findAddress = addressFinder(introspection)
  const headers = { authorization: basic(introspection) }
  return async (token) => {
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' })
    try {
      const { timeout } = introspection
      const { status, body } = await fetchJson(await findAddress(), { timeout, headers, form })
      if (status === 200 && isPlainObject(body)) return body
      throw new TypeError(`the introspection response has status ${status}, or is not an object`)
    } catch (cause) {
      throw new IntrospectionUnavailable('the authorization server does not support introspection', { cause })
    }
  }
}

/** Seconds that the answer "no" is kept: a token may become known a moment later. */
const longestNo = 5

/**
 * Checks tokens by introspection, and caches the answers. Concurrent checks of one token share a request.
 * @throws {AddressInsecure} it would be requested without TLS
 */
function introspectionChecker(introspection: Introspection): CheckToken {
  const { cacheFor, cacheEntries } = introspection
  const ask = makeIntrospect(introspection)
  const answers = createBoundedCache<string, Answer>(cacheEntries)
  const pending = new Map<string, Promise<Answer>>()
  const question = async (token: string): Promise<Answer> => {
    try {
      const access = freezeDeep(readAnswer(await ask(token), introspection))
      const seconds = access === undefined ? Math.min(cacheFor, longestNo) : cacheFor
      const answer = { access, until: Date.now() + seconds * 1000 }
      if (seconds > 0) answers.set(token, answer)
      return answer
    } finally {
      pending.delete(token)
    }
  }
  const find = async (token: string): Promise<TokenAccess> => {
    const running = pending.get(token) ?? question(token)
    pending.set(token, running)
    return accessIn(await running)
  }
  return (token) => {
    if (token.length > longestToken) throw new InvalidToken('the token is too long')
    const cached = answers.get(token)
    return cached === undefined || cached.until <= Date.now() ? find(token) : accessIn(cached)
  }
}

/** @throws {InvalidToken} the answer was no */
function accessIn({ access }: Answer): TokenAccess {
  if (access === undefined) throw new InvalidToken('the token is unknown, revoked, or not meant for this resource')
  if (access.expiresAt !== undefined && access.expiresAt.getTime() <= Date.now())
    throw new TokenExpired('the token has expired')
  return access
}

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
  return introspectionChecker({ ...introspection, issuer, allowHttp, audience: audienceOf(options), timeout })
}

/**
 * Makes the function that checks tokens of an authorization server in another process: JWTs with its keys, others by
 * introspection. Undefined if the options allow neither.
 * @throws {AddressInsecure} it would be requested without TLS
 */
export function remoteChecker(options: ResourceServerSettings): CheckToken | undefined {
  const jwts = jwtsOf(options)
  const questions = questionsOf(options)
  if (jwts === undefined || questions === undefined) return jwts ?? questions
  return (token) => (looksLikeJwt(token) ? jwts(token) : questions(token))
}
