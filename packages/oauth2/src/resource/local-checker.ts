import { Model } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from 'jose'
import type { Services } from '../container.ts'
import { InvalidToken, OAuthError, TokenExpired, TokenOrphaned } from '../errors.ts'
import type { CheckAccessToken } from '../options/resource-options.ts'
import type { Settings } from '../options/settings.ts'
import type { KeyRing } from '../server/keys/signing-key.ts'
import type { GrantFacts } from '../server/store/grant-facts.ts'
import type { Authenticating } from './authenticate.ts'
import { installProtection } from './install-protection.ts'
import { jwtChecker, looksLikeJwt, verifyingAlgorithms } from './jwt-checker.ts'
import type { ResourceServer } from './resource-server.ts'
import type { CheckToken, TokenAccess } from './token-access.ts'

/** Reads tokens, users and clients of this process. */
type LocalServices = Pick<Services, 'tokens' | 'users' | 'clients'>

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (value instanceof Model || isPlainObject(value) ? value : {})

const dateOf = (value: unknown): Date | undefined => (value instanceof Date ? value : undefined)

const asRefusal = (error: unknown): unknown =>
  error instanceof OAuthError ? error : new InvalidToken('the token was rejected', { cause: error })

/** Checks JWT access tokens with the keys of this process. */
function ownJwtChecker(ring: KeyRing, issuer: string, audience: readonly string[]): CheckToken {
  return jwtChecker({
    issuer,
    audience,
    algorithms: verifyingAlgorithms,
    clockTolerance: 0,
    findKey: async ({ kid = '', alg }) => {
      const key = await ring.find(kid, alg)
      if (key === undefined) throw new errors.JWKSNoMatchingKey()
      return key
    },
    remember: 1000,
    rememberFor: 60,
    keysVersion: ring.version
  })
}

/** Names of the resource that this server is. */
const audienceOf = ({ issuer, options }: Settings): readonly string[] =>
  [options.audience, issuer].filter((name) => name !== undefined)

/**
 * Makes the function that checks tokens in the process that issues them. A JWT has to be signed by a key that still counts,
 * and has to be in the table: one that was revoked is refused at once.
 */
function checkerOf(services: Services): Authenticating['check'] {
  const { settings, keys } = services
  const { checkAccessToken, accessTokens, generateToken } = settings.options
  if (checkAccessToken !== undefined) return customChecker(checkAccessToken)
  const audience = audienceOf(settings)
  const local = localChecker(services, audience)
  const isJwt = accessTokens === 'jwt' && generateToken === undefined
  if (keys === undefined || settings.issuer === undefined || !isJwt) return local
  const checkJwt = ownJwtChecker(keys, settings.issuer, audience)
  return async (token) => {
    if (!looksLikeJwt(token)) return local(token)
    const { claims } = await checkJwt(token)
    return { ...(await local(token)), claims }
  }
}

/** Protects routes with the tokens of this process. Add it after the endpoints. */
export function protectLocally(app: FastifyInstance, services: Services): ResourceServer {
  const { registry, settings } = services
  return installProtection(app, {
    options: settings.options,
    check: checkerOf(services),
    registry,
    resource: audienceOf(settings)[0],
    authorizationServers: settings.issuer === undefined ? [] : [settings.issuer],
    rules: settings.rules
  })
}

/** What the application's function found, as the server has it. @throws {InvalidToken} it found nothing */
function readFound(user: unknown, info: unknown): TokenAccess {
  const { accessToken, client, app } = fieldsOf(info)
  const token = fieldsOf(accessToken)
  const clientId = token['appId'] ?? token['clientId'] ?? fieldsOf(client ?? app)['id']
  if (user === undefined || user === null || user === false || clientId === undefined || clientId === null)
    throw new InvalidToken('the token is unknown')
  const { scopes } = token
  return {
    clientId: String(clientId),
    userId: token['userId'] ?? fieldsOf(user)['id'] ?? undefined,
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    issuedAt: dateOf(token['issuedAt']),
    expiresAt: dateOf(token['expiredAt']),
    user,
    client: client ?? app,
    record: accessToken
  }
}

/**
 * Makes the function that checks tokens by `checkAccessToken`, which calls back as with loopback-component-oauth2: an
 * error, or the user and `{ accessToken, client }`.
 */
function customChecker(ask: CheckAccessToken): (token: string, request: FastifyRequest) => Promise<TokenAccess> {
  return (token, request) =>
    new Promise((resolve, reject) => {
      ask(request.raw, token, (error, user, info) => {
        try {
          if (error !== undefined && error !== null) throw asRefusal(error)
          resolve(readFound(user, info))
        } catch (refused) {
          reject(refused)
        }
      })
    })
}

/** What belongs to a token must still be there. */
async function complete(access: TokenAccess, { users, clients }: LocalServices): Promise<TokenAccess> {
  const { userId, clientId } = access
  const [user, client] = await Promise.all([
    userId === undefined ? undefined : users.find(userId),
    clients.find(clientId)
  ])
  if (client === undefined) throw new TokenOrphaned(`Access token has invalid app id: ${clientId}`)
  if (userId !== undefined && user === undefined)
    throw new TokenOrphaned(`Access token has invalid user id: ${String(userId)}`)
  return { ...access, user, client: client.record }
}

function accessOf({ clientId, userId, scopes, resources, issuedAt, expiresAt }: GrantFacts): TokenAccess {
  return { clientId, userId: userId ?? undefined, scopes, audience: resources, issuedAt, expiresAt }
}

/**
 * Makes the function that looks opaque tokens up.
 * @param audience names of this resource: a token for another one is refused
 * @throws {InvalidToken} (the function) it is unknown, revoked, expired, or meant for another resource
 */
function localChecker(services: LocalServices, audience: readonly string[]): (token: string) => Promise<TokenAccess> {
  return async (token) => {
    const found = await services.tokens.findAccessToken(token)
    if (found === undefined) throw new InvalidToken('the token is unknown or revoked')
    if (found.expiresAt.getTime() <= Date.now()) throw new TokenExpired('Access token is expired')
    const { resources = [] } = found
    if (resources.length > 0 && !resources.some((name) => audience.includes(name)))
      throw new InvalidToken('the token is for another resource')
    return complete(accessOf(found), services)
  }
}
