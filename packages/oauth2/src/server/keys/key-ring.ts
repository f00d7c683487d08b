import type { ModelRegistry } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { calculateJwkThumbprint, type CryptoKey, type JWK } from 'jose'
import { OptionMissing, SigningKeyInvalid } from '../../errors.ts'
import type { OAuth2Settings } from '../../options/oauth2-options.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../../options/resource-options.ts'
import { keySettings, type Settings } from '../../options/settings.ts'
import { createKeySeal, modelKeyStore, signingKeyModel } from './key-store.ts'
import { importKey, type KeyRing, makeSign, publicPart } from './signing-key.ts'
import { storedKeyRing } from './stored-key-ring.ts'

const byCurve: Readonly<Record<string, SigningAlgorithm>> = { 'P-256': 'ES256', 'P-384': 'ES384', Ed25519: 'EdDSA' }

/** The algorithm of a key; for RSA without `alg`, RS256. @throws {SigningKeyInvalid} this server does not sign with it */
function algorithmOf({ alg, kty, crv }: JWK): SigningAlgorithm {
  const written = alg ?? (kty === 'RSA' ? 'RS256' : byCurve[crv ?? ''])
  const supported = signingAlgorithms.find((name) => name === written)
  if (supported !== undefined) return supported
  throw new SigningKeyInvalid(`keys of type ${written ?? kty ?? 'unknown'} cannot sign`, { key: 'keys.jwks' })
}

interface ConfiguredKey {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly publicJwk: JWK
  readonly verifying: CryptoKey
}

async function readConfiguredKey(jwk: JWK): Promise<ConfiguredKey> {
  const algorithm = algorithmOf(jwk)
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  const publicJwk = publicPart(jwk, kid, algorithm)
  return { kid, algorithm, publicJwk, verifying: await importKey(publicJwk, algorithm) }
}

/**
 * Keys set by the application: the first one signs, all are published and verify.
 * @throws {SigningKeyInvalid} a key is malformed or symmetric, two have one id, or the first one has no private part
 */
export async function configuredKeyRing(jwks: readonly JWK[]): Promise<KeyRing> {
  const [first] = jwks
  if (first?.d === undefined)
    throw new SigningKeyInvalid('the first key must be private: it signs', { key: 'keys.jwks' })
  const [current, ...others] = await Promise.all(jwks.map(readConfiguredKey))
  if (current === undefined) throw new SigningKeyInvalid('the key set is empty', { key: 'keys.jwks' })
  const all = [current, ...others]
  const { kid, algorithm } = current
  const signWith = makeSign({ kid, algorithm, key: await importKey({ ...first, ext: false }, algorithm) })
  const byId = new Map(all.map((key) => [key.kid, key]))
  if (byId.size < all.length) throw new SigningKeyInvalid('two keys have the same `kid`', { key: 'keys.jwks' })
  const published = { keys: all.map(({ publicJwk }) => publicJwk) }
  return {
    algorithm,
    sign: (claims, { typ }) => signWith(claims, typ),
    jwks: async () => published,
    find: async (id, wanted) => {
      const key = byId.get(id)
      return key?.algorithm === wanted ? key.verifying : undefined
    },
    version: () => 1,
    ready: async () => {},
    rotate: async () => {
      throw new SigningKeyInvalid('keys that an option sets must be rotated there', { key: 'keys.jwks' })
    }
  }
}

/** The model of signing keys, beside the other models of the server. */
function keyModelIn(registry: ModelRegistry): ReturnType<ModelRegistry['typeOf']> {
  if (registry.find(signingKeyModel.name) === undefined) registry.define(signingKeyModel)
  const dataSource = registry.find('OAuthAccessToken')?.dataSource
  const model = registry.typeOf(signingKeyModel.name)
  if (model.dataSource === undefined && dataSource !== undefined) registry.attach(model.name, dataSource.name)
  return model
}

/**
 * Makes the signing keys according to the options: configured ones, or stored ones that all processes share.
 * @throws {OptionMissing} there is neither a key nor a secret to store keys with
 * @throws {SigningKeyInvalid} a configured key cannot be used
 */
export async function makeKeyRing(registry: ModelRegistry, options: OAuth2Settings): Promise<KeyRing> {
  const keys = keySettings(options)
  const { jwks, algorithm, secret } = keys
  if (jwks !== undefined) return configuredKeyRing(jwks.keys)
  const shared = typeof options.session === 'object' ? options.session.secret : undefined
  const [first, ...others] = [secret ?? shared ?? []].flat()
  if (first === undefined)
    throw new OptionMissing(
      'JWTs are signed with keys: set `keys.secret` to encrypt those of the database, or pass `keys.jwks`',
      { key: 'keys.secret' }
    )
  const store = modelKeyStore(keyModelIn(registry))
  const seal = createKeySeal([first, ...others])
  return storedKeyRing({ store, seal, algorithm, times: keys, now: () => new Date() })
}

/** A database that was not migrated yet must let the application start: it is what makes the tables. */
async function readyUnlessMissing({ log }: FastifyInstance, ring: KeyRing): Promise<void> {
  try {
    await ring.ready()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'DATABASE_SCHEMA_MISSING')) throw error
    log.warn(
      { reason: error.message },
      'oauth2: the table of signing keys does not exist: migrate the database before tokens are requested'
    )
  }
}

/** The dependencies for serving keys. */
interface KeyServices {
  readonly registry: ModelRegistry
  readonly settings: Settings
  readonly keys: KeyRing | undefined
}

/** Loads the keys before the server is ready, and publishes them. Does nothing if nothing is signed. */
export function serveKeys(app: FastifyInstance, { registry, settings, keys }: KeyServices): void {
  if (keys === undefined) return
  // A wrong secret shows at the start. Tables may be made until then.
  app.addHook('onReady', async () => {
    await registry.connect()
    await readyUnlessMissing(app, keys)
  })
  const { jwks: path } = settings.paths
  if (path === undefined) return
  // A new key is published for that long before it signs.
  const { cacheFor } = keySettings(settings.options)
  app.get(path, { exposeHeadRoute: false }, async (_request, reply) => {
    const jwks = await keys.jwks()
    return reply
      .header('cache-control', `public, max-age=${cacheFor}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify(jwks))
  })
}
