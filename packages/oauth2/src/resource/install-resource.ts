import type { FastifyInstance } from 'fastify'
import { errors } from 'jose'
import type { KeyRing } from '../keys/key-ring.ts'
import { keySettings, needsKeys } from '../keys/key-settings.ts'
import { makeKeyRing } from '../keys/make-key-ring.ts'
import { serveJwks } from '../keys/serve-jwks.ts'
import type { OAuth2Parts } from '../parts.ts'
import { looksLikeJwt, verifyingAlgorithms } from '../tokens/verify-jwt.ts'
import type { Authenticating } from './authenticate.ts'
import { customChecker } from './custom-checker.ts'
import { jwtChecker } from './jwt-checker.ts'
import { localChecker } from './local-checker.ts'
import { installProtection } from './install-protection.ts'
import type { CheckToken } from './token-access.ts'

/** A database that was not migrated yet must let the application start: it is what makes the tables. */
async function readyUnlessMissing({ log }: FastifyInstance, ring: KeyRing): Promise<void> {
  try {
    await ring.ready()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'DATABASE_SCHEMA_MISSING')) throw error
    log.warn(
      { reason: error.message },
      'oauth2: there is no table of signing keys: migrate the database before tokens are asked for'
    )
  }
}

/** Sets up signing keys, before endpoints; undefined where tokens are opaque and nothing else is signed. */
export async function installKeys(app: FastifyInstance, parts: OAuth2Parts): Promise<KeyRing | undefined> {
  const { registry, settings } = parts
  if (!needsKeys(settings.options)) return undefined
  const keys = keySettings(settings.options)
  const ring = await makeKeyRing(registry, settings.options, keys)
  // A wrong secret shows at the start. Tables may be made until then.
  app.addHook('onReady', async () => {
    await registry.connect()
    await readyUnlessMissing(app, ring)
  })
  app.oauth2.keys = {
    rotate: async (options) => {
      await ring.rotate(options)
      // Introspection answers the same as verification.
      if (options?.compromised === true && settings.options.accessTokens === 'jwt') await parts.tokens.expireAll()
    }
  }
  const { jwks } = settings.paths
  if (jwks !== undefined) serveJwks(app, jwks, ring, keys.cacheFor)
  return ring
}

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
function audienceOf({ settings: { issuer, options } }: OAuth2Parts): readonly string[] {
  return [options.audience, issuer].filter((name) => name !== undefined)
}

/**
 * Makes the function that checks tokens in the process that issues them. A JWT has to be signed by a key that still counts,
 * and has to be in the table: one that was revoked is refused at once.
 */
function checkerOf(parts: OAuth2Parts, ring: KeyRing | undefined): Authenticating['check'] {
  const { settings } = parts
  const { checkAccessToken, accessTokens, generateToken } = settings.options
  if (checkAccessToken !== undefined) return customChecker(checkAccessToken)
  const audience = audienceOf(parts)
  const local = localChecker(parts, audience)
  const isJwt = accessTokens === 'jwt' && generateToken === undefined
  if (ring === undefined || settings.issuer === undefined || !isJwt) return local
  const checkJwt = ownJwtChecker(ring, settings.issuer, audience)
  return async (token) => {
    if (!looksLikeJwt(token)) return local(token)
    const { claims } = await checkJwt(token)
    return { ...(await local(token)), claims }
  }
}

/** Sets up the resource server, after endpoints. */
export async function installResource(
  app: FastifyInstance,
  parts: OAuth2Parts,
  ring: KeyRing | undefined
): Promise<void> {
  const { settings } = parts
  const resource = audienceOf(parts)[0]
  const { authenticate } = installProtection(app, {
    options: settings.options,
    check: checkerOf(parts, ring),
    registry: parts.registry,
    resource,
    authorizationServers: settings.issuer === undefined ? [] : [settings.issuer],
    rules: settings.rules
  })
  app.oauth2.authenticate = authenticate
}
