import { createHash, createPublicKey } from 'node:crypto'
import { createBoundedCache } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { FastifyBaseLogger } from 'fastify'
import { createLocalJWKSet, decodeJwt, errors, type JWK, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { InvalidClient, InvalidGrant, KeysUnavailable } from '../../errors.ts'
import { remoteClientKeys } from '../../http/remote-keys.ts'
import { addressOf, type Settings } from '../../options/settings.ts'
import type { StateStore } from '../store/states.ts'
import type { ClientDirectory } from './client-directory.ts'
import type { Client } from './client.ts'

const symmetric = ({ kty }: JWK): boolean => kty === 'oct'

/** The requirements of every assertion. */
interface AssertionRules {
  /**
   * Names of this server: its issuer, the URL of its token endpoint. An assertion that also names another server is
   * refused.
   */
  readonly audience: readonly string[]
  /** Only asymmetric ones. */
  readonly algorithms: readonly string[]
  /** Tolerated clock skew in seconds. */
  readonly clockTolerance: number
  /** Maximum lifetime of an assertion in seconds, during which its use must be remembered. */
  readonly longestLife: number
  /** Records that an assertion was used, until `until`; false if it was already used. */
  readonly useOnce: (issuer: string, id: string, until: Date) => Promise<boolean>
  /** Returns the keys at a URL; undefined if the URL is invalid. */
  readonly keysAt?: (address: string) => JWTVerifyGetKey | undefined
}

/** `client`: authenticates a client. `grant`: is a grant itself. */
export type AssertionKind = 'client' | 'grant'

/** An assertion to be verified. */
interface PresentedAssertion {
  readonly assertion: string
  readonly kind: AssertionKind
  /** The client that must have issued it. */
  readonly clientId: string
  /** Its registered keys: a JWK Set or a PEM string. */
  readonly keys: string | undefined
  /** URL of the keys, if they are not registered themselves. */
  readonly keysAt?: string | undefined
}

/** The facts of a valid assertion. */
interface AssertionFacts {
  readonly subject: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date
  readonly claims: Readonly<Record<string, unknown>>
}

/** Characters. */
const longest = 8192
const types: Readonly<Record<AssertionKind, ReadonlySet<string>>> = {
  client: new Set(['jwt', 'client-authentication+jwt']),
  grant: new Set(['jwt', 'authorization-grant+jwt'])
}

type Refuse = (reason: string, cause?: unknown) => InvalidClient | InvalidGrant

const refusals: Readonly<Record<AssertionKind, Refuse>> = {
  client: (reason, cause) => new InvalidClient(`the client assertion ${reason}`, { cause }),
  grant: (reason, cause) => new InvalidGrant(`the assertion ${reason}`, { cause })
}

/**
 * The claimed issuer of an assertion, not verified yet.
 * @throws {InvalidClient} or {InvalidGrant}: it is not a JWT
 */
export function claimedIssuer(assertion: string, kind: AssertionKind): string {
  try {
    const { iss } = assertion.length > longest ? {} : decodeJwt(assertion)
    if (typeof iss === 'string' && iss !== '') return iss
  } catch (cause) {
    throw refusals[kind]('is malformed', cause)
  }
  throw refusals[kind]('has no issuer')
}

/** Other JWTs of the same keys, such as access tokens, are not assertions. @see RFC 8725 section 3.11 */
function checkType(typ: unknown, kind: AssertionKind): void {
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (name !== undefined && !(typeof name === 'string' && types[kind].has(name)))
    throw refusals[kind]('has another token type')
}

function scopesIn({ scope = [] }: JWTPayload, kind: AssertionKind): readonly string[] {
  const names: unknown[] = typeof scope === 'string' ? scope.split(' ') : [scope].flat()
  const texts = names.filter((name) => typeof name === 'string')
  if (texts.length < names.length) throw refusals[kind]('has a scope that is not a string')
  return [...new Set(texts.filter((name) => name !== ''))]
}

/** Times, names and audience that jose does not check by itself. */
function checkClaims(payload: JWTPayload, { kind, clientId }: PresentedAssertion, rules: AssertionRules): void {
  const { iss, sub, aud, exp = 0, iat = 0, jti } = payload
  const now = Date.now() / 1000
  const refuse = refusals[kind]
  if (iss !== clientId) throw refuse('was issued by another party')
  if (typeof sub !== 'string' || sub === '') throw refuse('has no subject')
  const named: unknown[] = [aud].flat()
  // One that is meant for other servers, too, could be sent on by them.
  if (named.length === 0 || !named.every((name) => rules.audience.some((own) => own === name)))
    throw refuse('is not meant for this server')
  if (exp > now + rules.longestLife + rules.clockTolerance) throw refuse('has too long a lifetime')
  if (iat > now + rules.clockTolerance) throw refuse('was issued in the future')
  if (jti !== undefined && typeof jti !== 'string') throw refuse('has a jti that is not a string')
}

/** What an assertion is known by once it was used. Without `jti` it is all that is signed: a signature can be rewritten. */
function useId(assertion: string, { jti }: JWTPayload): string {
  if (jti !== undefined) return `jti ${jti}`
  const signed = assertion.slice(0, assertion.lastIndexOf('.'))
  return `sha256 ${createHash('sha256').update(signed).digest('base64url')}`
}

async function verifySignature(
  { assertion, kind }: PresentedAssertion,
  keys: JWTVerifyGetKey,
  { algorithms, clockTolerance }: AssertionRules
): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keys, {
      algorithms: [...algorithms],
      clockTolerance,
      requiredClaims: ['iss', 'sub', 'aud', 'exp']
    })
    checkType(protectedHeader.typ, kind)
    return payload
  } catch (error) {
    if (error instanceof KeysUnavailable) throw refusals[kind]('cannot be verified without the keys at jwksURI', error)
    if (error instanceof errors.JWTExpired) throw refusals[kind]('has expired', error)
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw refusals[kind]('is not valid', error)
    throw error
  }
}

/** Verifies assertions of clients. @see RFC 7523 section 3 */
type VerifyAssertion = (presented: PresentedAssertion) => Promise<AssertionFacts>

/**
 * Makes the function that verifies assertions: signature, type, issuer, subject, audience, times, and that none is used
 * twice. For `client` the subject must be the client itself if `ownSubject` is set; LoopBack's component accepted any.
 * @throws {InvalidClient} (the function) an assertion of kind `client` is refused
 * @throws {InvalidGrant} (the function) an assertion of kind `grant` is refused
 */
export function assertionVerifier(rules: AssertionRules, ownSubject = true): VerifyAssertion {
  const keySets = createBoundedCache<string, JWTVerifyGetKey>(500)
  const keySetsByUrl = createBoundedCache<string, JWTVerifyGetKey>(500)
  const remember = (kept: typeof keySets, text: string, read: typeof rules.keysAt): JWTVerifyGetKey | undefined => {
    const found = kept.get(text) ?? read?.(text)
    if (found !== undefined) kept.set(text, found)
    return found
  }
  const keysOf = ({ keys, keysAt }: PresentedAssertion): JWTVerifyGetKey | undefined => {
    if (keys !== undefined) return remember(keySets, keys, readAssertionKeys)
    return keysAt === undefined ? undefined : remember(keySetsByUrl, keysAt, rules.keysAt)
  }
  return async (presented) => {
    const { assertion, kind, clientId } = presented
    const keys = assertion.length > longest ? undefined : keysOf(presented)
    if (keys === undefined) throw refusals[kind]('cannot be verified')
    const payload = await verifySignature(presented, keys, rules)
    checkClaims(payload, presented, rules)
    const { sub: subject = '', exp = 0 } = payload
    if (kind === 'client' && ownSubject && subject !== clientId) throw refusals[kind]('has another subject')
    const scopes = scopesIn(payload, kind)
    const expiresAt = new Date(exp * 1000)
    const until = new Date(expiresAt.getTime() + rules.clockTolerance * 1000)
    if (!(await rules.useOnce(clientId, useId(assertion, payload), until)))
      throw refusals[kind]('has already been used')
    return { subject, scopes, expiresAt, claims: payload }
  }
}

/** A PEM text as a set of one key; it serves every algorithm of its kind. */
function fromPem(text: string): readonly JWK[] {
  return [createPublicKey(text).export({ format: 'jwk' })]
}

function fromJson(text: string): readonly JWK[] {
  const parsed: unknown = JSON.parse(text)
  const keys = isPlainObject(parsed) && Array.isArray(parsed['keys']) ? parsed['keys'] : [parsed]
  return keys.filter(isPlainObject)
}

/**
 * The public keys of a client: a JWK Set, a JWK, or a PEM text (a public key or a certificate). Undefined for a text that is
 * none of them, or that holds a symmetric key: what is registered in public must not sign.
 */
function readAssertionKeys(text: string): JWTVerifyGetKey | undefined {
  try {
    const keys = text.trimStart().startsWith('-----BEGIN') ? fromPem(text) : fromJson(text)
    if (keys.length === 0 || keys.some(symmetric)) return undefined
    const set = createLocalJWKSet({ keys: [...keys] })
    const [only, ...others] = keys
    const isNameless = others.length === 0 && only?.kid === undefined
    // The one key there is serves whatever name an assertion has for it.
    return isNameless ? async ({ alg }, token) => set({ alg }, token) : set
  } catch {
    // The keys of a client are its own: the caller refuses its assertions.
    return undefined
  }
}

/** Seconds. */
const clockTolerance = 5
const longestLife = 3600

/** Names by which assertions may mean this server. LB3: the bare path, and nothing else; pinned by the recorded pairs. */
function audienceOf({ issuer, paths, rules }: Settings): readonly string[] {
  const own =
    issuer === undefined ? [] : [issuer, ...(paths.token === undefined ? [] : [addressOf(issuer, paths.token)])]
  return rules.takesPathAsAudience && paths.token !== undefined ? [...own, paths.token] : own
}

/** The dependencies for verifying assertions. */
interface AssertionServices {
  readonly settings: Settings
  readonly states: StateStore
  readonly clients: ClientDirectory
  readonly log: FastifyBaseLogger
}

/** Verifies assertions of this server's clients. None can be used twice, in any process and for any purpose. */
export interface Assertions {
  readonly algorithms: readonly string[]
  readonly verify: VerifyAssertion
  /**
   * Returns the client that an assertion authenticates.
   * @throws {InvalidClient} @see RFC 7523 section 2.2
   */
  readonly prove: (assertion: string) => Promise<Client>
}

/** Makes the verification of assertions. */
export function makeAssertions({ settings, states, clients, log }: AssertionServices): Assertions {
  const { jwtAlgorithm, privateClientKeys: allowPrivate } = settings.options
  const algorithms = jwtAlgorithm === undefined ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : [jwtAlgorithm]
  const useOnce = async (issuer: string, id: string, until: Date): Promise<boolean> =>
    states.add('assertion', JSON.stringify([issuer, id]), {}, until)
  const keysAt = (address: string) => remoteClientKeys(address, { allowPrivate, log })
  const rules = { audience: audienceOf(settings), algorithms, clockTolerance, longestLife, useOnce, keysAt }
  const verify = assertionVerifier(rules, !settings.rules.takesForeignSubjects)
  const prove = async (assertion: string): Promise<Client> => {
    const client = await clients.find(claimedIssuer(assertion, 'client'))
    if (client === undefined) throw new InvalidClient('the client assertion cannot be verified')
    await verify({ assertion, kind: 'client', clientId: client.id, keys: client.jwks, keysAt: client.jwksUri })
    return client
  }
  return { algorithms, verify, prove }
}
