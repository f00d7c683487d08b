import { createHash } from 'node:crypto'
import { createBoundedCache } from '@modelwire/core/plugin'
import { decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { InvalidClient, InvalidGrant } from '../errors.ts'
import { KeysUnavailable } from '../resource/resource-errors.ts'
import { readAssertionKeys } from './assertion-keys.ts'

/** What every assertion must be like. */
export interface AssertionRules {
  /** Names of this server: its issuer, the address of its token endpoint. An assertion that names another server, too, is refused. */
  readonly audience: readonly string[]
  /** Of public keys alone. */
  readonly algorithms: readonly string[]
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number
  /** Seconds that an assertion may live at most: for so long its use has to be remembered. */
  readonly longestLife: number
  /** Remembers that an assertion was used, until `until`; false when it was before. */
  readonly useOnce: (issuer: string, id: string, until: Date) => Promise<boolean>
  /** The keys at an address; undefined for a text that is none. */
  readonly keysAt?: (address: string) => JWTVerifyGetKey | undefined
}

/** `client`: proves a client. `grant`: is a grant of its own. */
export type AssertionKind = 'client' | 'grant'

/** An assertion to be verified. */
export interface PresentedAssertion {
  readonly assertion: string
  readonly kind: AssertionKind
  /** The client that must have issued it. */
  readonly clientId: string
  /** Its keys as registered: a JWK Set or a PEM text. */
  readonly keys: string | undefined
  /** Where they are, where they are not registered themselves. */
  readonly keysAt?: string | undefined
}

/** The facts of a valid assertion. */
export interface AssertionFacts {
  readonly subject: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date
  readonly claims: Readonly<Record<string, unknown>>
}

/** Algorithms that assertions may be signed with, unless one is chosen. */
export const assertionAlgorithms: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519'
]

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
 * The claimed issuer of an assertion, which is not verified yet.
 * @throws {InvalidClient} or {InvalidGrant}: it is not a JWT
 */
export function claimedIssuer(assertion: string, kind: AssertionKind): string {
  try {
    const { iss } = assertion.length > longest ? {} : decodeJwt(assertion)
    if (typeof iss === 'string' && iss !== '') return iss
  } catch (cause) {
    throw refusals[kind]('is malformed', cause)
  }
  throw refusals[kind]('names no issuer')
}

/** Other JWTs of the same keys, such as access tokens, are not assertions. @see RFC 8725 section 3.11 */
function checkType(typ: unknown, kind: AssertionKind): void {
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (name !== undefined && !(typeof name === 'string' && types[kind].has(name)))
    throw refusals[kind]('is a token of another type')
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
export type VerifyAssertion = (presented: PresentedAssertion) => Promise<AssertionFacts>

/**
 * Makes the function that verifies assertions: signature, type, issuer, subject, audience, times, and that none is used
 * twice. For `client` the subject must be the client itself where `ownSubject` is set; LoopBack's component took any.
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
    if (!(await rules.useOnce(clientId, useId(assertion, payload), until))) throw refusals[kind]('was used before')
    return { subject, scopes, expiresAt, claims: payload }
  }
}
