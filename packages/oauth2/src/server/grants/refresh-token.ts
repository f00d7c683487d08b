import { InvalidGrant, TemporarilyUnavailable } from '../../errors.ts'
import { type Parameters, required, parseScopes } from '../../http/parameters.ts'
import type { GrantFacts } from '../store/grant-facts.ts'
import type { FoundRefreshToken } from '../store/token-vault.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { covers } from '../store/permissions.ts'
import { stillGranted, readResources } from '../tokens/scopes.ts'
import { checkUser, type Grant, type GrantRequest, issueOrRestore, type GrantServices } from './grant.ts'
import { makeGrantKind, refreshGrantType } from '../../options/grant-kind.ts'
import { hkdfSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CompactEncrypt, compactDecrypt } from 'jose'

/** The result of exchanging a refresh token. */
interface Successor extends Pick<Issued, 'accessToken' | 'refreshToken' | 'extras'> {
  readonly scopes: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** The requested scopes and resources: requests for others do not get it. */
  readonly requested: string
}

/** The grace periods in which a used refresh token returns its successor again. */
interface RefreshGrace {
  /** Starts the period of a token. False if another request did, whose successor is {@link RefreshGrace.find}. */
  readonly start: (token: string) => Promise<boolean>
  /** Stores the successor of a token until its period is over, encrypted so that only the token itself can decrypt it. */
  readonly keep: (token: string, successor: Successor) => Promise<void>
  /** Ends the period of a token: it has no successor. */
  readonly end: (token: string) => Promise<void>
  /**
   * The successor of a token, awaited if it is being created; undefined if the period is over, or there is none.
   * @throws {TemporarilyUnavailable} it takes too long
   */
  readonly find: (token: string) => Promise<Successor | undefined>
}

const factKind = 'refreshed'

/** Milliseconds. */
const [longestWait, pause] = [5000, 50]

/** A key that only the presented token makes: the database holds no more than its hash. */
const keyOf = (token: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', token, '', 'modelwire oauth2 successor of a refresh token', 32))

const seal = (token: string, successor: Successor): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(successor)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(token))

const kind = makeGrantKind({ type: refreshGrantType, title: 'Refresh Token', isInteractive: true })

const wrong = (): InvalidGrant => new InvalidGrant('the refresh token is invalid')

/** A token that was used before ends its family: it was stolen. @see RFC 9700 section 4.14.2 */
async function endReused({ services }: GrantRequest, { family }: GrantFacts): Promise<never> {
  if (family !== undefined) await services.tokens.revokeFamily(family)
  throw wrong()
}

/** The token as it is now, if it is this client's. */
async function lookUp({
  services,
  client,
  parameters
}: GrantRequest): Promise<FoundRefreshToken | { used: GrantFacts }> {
  const found = await services.tokens.lookUpRefreshToken(tokenOf(parameters))
  if (found === undefined) throw wrong()
  if (('used' in found ? found.used : found.facts).clientId !== client.id) throw wrong()
  return found
}

const tokenOf = (parameters: Parameters): string => required(parameters, 'refresh_token')

/** What a request asks for: a successor is given again for the same only. */
const requestedBy = (parameters: Parameters): string =>
  JSON.stringify([parseScopes(parameters.one('scope')), parameters.all('resource')])

/** Answers a token that was used before: with what came of it where it was used just now, else as a theft. */
async function answerUsed(request: GrantRequest, facts: GrantFacts): Promise<Issued> {
  const { services, parameters } = request
  const successor = await refreshGrace(services)?.find(tokenOf(parameters))
  if (successor === undefined) {
    // The request that used it may have failed meanwhile, and given it back.
    const now = await lookUp(request)
    return 'used' in now ? endReused(request, facts) : issue(request)
  }
  if (successor.requested !== requestedBy(parameters))
    throw new InvalidGrant('the refresh token was used just now, for another scope or resource')
  const { scopes, expiresAt, ...tokens } = successor
  return { ...tokens, grant: kind, facts: { ...facts, scopes, issuedAt: new Date(), expiresAt: new Date(expiresAt) } }
}

/**
 * The scopes of the new access token: those that were granted and that the client may still have, or fewer.
 * LB3: more are `invalid_grant`; pinned by the recorded pairs.
 */
function scopesOf({ services, client, parameters }: GrantRequest, granted: readonly string[]): readonly string[] {
  const requested = parseScopes(parameters.one('scope'))
  const left = stillGranted(services.settings, client, granted)
  if (!covers(left, requested)) throw wrong()
  return requested.length === 0 ? left : requested
}

/** Makes the tokens that follow. The refresh token keeps all that was granted. */
async function makeTokens(
  { services, client }: GrantRequest,
  { facts, expiresAt }: FoundRefreshToken,
  requested: Pick<GrantFacts, 'scopes' | 'resources'>
): Promise<Issued> {
  return services.issueTokens({
    client,
    userId: facts.userId,
    ...requested,
    granted: facts,
    grant: kind,
    family: facts.family,
    // The chain of a public client ends when its first token would have: nothing else ever authenticates its user
    // again.
    refreshEnd: client.isPublic ? expiresAt : undefined,
    authTime: facts.authTime
  })
}

/** Uses the token up, and makes what follows. */
async function rotate(
  request: GrantRequest,
  found: FoundRefreshToken,
  requested: Pick<GrantFacts, 'scopes' | 'resources'>
): Promise<Issued> {
  if (!(await found.use())) return endReused(request, found.facts)
  const issued = await issueOrRestore(() => makeTokens(request, found, requested), found)
  // A concurrent use of the same token has ended the family, perhaps before these tokens were stored.
  if (!(await found.stands())) await request.services.tokens.remove(issued.accessToken)
  return issued
}

/** The same for requests that may come at once. */
async function rotateOnce(
  request: GrantRequest,
  grace: RefreshGrace,
  ...[found, requested]: [FoundRefreshToken, Pick<GrantFacts, 'scopes' | 'resources'>]
): Promise<Issued> {
  const { parameters } = request
  const token = tokenOf(parameters)
  if (!(await grace.start(token))) return answerUsed(request, found.facts)
  const issued = await issueOrRestore(() => rotate(request, found, requested), { giveBack: () => grace.end(token) })
  const { facts, accessToken, refreshToken, extras } = issued
  const { scopes, expiresAt } = facts
  try {
    await grace.keep(token, {
      accessToken,
      refreshToken,
      extras,
      scopes,
      expiresAt: expiresAt.getTime(),
      requested: requestedBy(parameters)
    })
  } catch (error) {
    // The tokens are made all the same.
    request.request.log.error({ err: error }, 'oauth2: the tokens that replaced a refresh token cannot be issued again')
  }
  return issued
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { services, client, parameters } = request
  const found = await lookUp(request)
  if ('used' in found) return answerUsed(request, found.used)
  const { facts, expiresAt } = found
  if (expiresAt !== undefined && expiresAt <= new Date()) throw wrong()
  const requested = {
    scopes: scopesOf(request, facts.scopes),
    resources: readResources(services.settings, parameters, facts.resources)
  }
  await checkUser(services, facts.userId)
  // A public client cannot prove that the token is its own: of two uses one shows a theft. @see RFC 9700 section 2.2.2
  const rotates = client.isPublic || services.settings.options.rotateRefreshTokens
  if (!rotates) return makeTokens(request, found, requested)
  const grace = refreshGrace(services)
  return grace === undefined ? rotate(request, found, requested) : rotateOnce(request, grace, found, requested)
}

/**
 * Exchanges a refresh token for new tokens, once.
 * @see RFC 6749 section 6
 */
export const refreshToken: Grant = { ...kind, allowsPublic: true, issue }

async function open(token: string, sealed: unknown): Promise<Successor> {
  const { plaintext } = await compactDecrypt(String(sealed), keyOf(token), {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM']
  })
  return JSON.parse(new TextDecoder().decode(plaintext)) as Successor // as it was sealed above
}

/** The times after uses of refresh tokens; undefined where the server gives none. @see RFC 9700 section 4.14.2 */
function refreshGrace({ states, settings }: Pick<GrantServices, 'states' | 'settings'>): RefreshGrace | undefined {
  const seconds = settings.options.refreshTokenGrace
  if (seconds === 0) return undefined
  return {
    // What is left of a process that ended meanwhile keeps nobody from going on.
    start: async (token) =>
      (await states.add(factKind, token, null, new Date(Date.now() + seconds * 1000))) ||
      (await states.read(factKind, token)) === undefined,
    keep: async (token, successor) =>
      void (await states.change(factKind, token, 'new', 'made', await seal(token, successor))),
    end: (token) => states.remove(factKind, token),
    async find(token) {
      for (const until = Date.now() + longestWait; ; await delay(pause)) {
        const row = await states.read(factKind, token)
        if (row === undefined) return undefined
        if (row.state === 'made') return open(token, row.data)
        if (Date.now() > until) throw new TemporarilyUnavailable('the refresh token is being exchanged: try again')
      }
    }
  }
}
