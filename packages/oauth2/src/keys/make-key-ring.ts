import type { ModelRegistry } from '@modelwire/core'
import { fillDefaults } from '@modelwire/core/plugin'
import { OptionMissing } from '../errors.ts'
import type { OAuth2Options, OAuth2Settings } from '../options.ts'
import { KeysSchema } from '../options/resource-options.ts'
import { givenKeyRing } from './given-key-ring.ts'
import { signingKeyModel } from './key-model.ts'
import type { KeyRing } from './key-ring.ts'
import { modelKeyStore } from './model-key-store.ts'
import type { KeyTimes } from './read-keys.ts'
import { createKeySeal } from './seal-key.ts'
import { storedKeyRing } from './stored-key-ring.ts'

type KeyOptions = OAuth2Options['keys']

/** Times of rotation with their defaults, in seconds. */
export function keyTimes(keys: KeyOptions = {}): KeyTimes {
  const { rotateAfter, cacheFor, refreshAfter } = fillDefaults(KeysSchema, keys)
  return { rotateAfter, cacheFor, refreshAfter }
}

/** Whether anything is signed: access tokens, or what the application gave keys for. */
export function needsKeys({ accessTokens, keys }: OAuth2Options): boolean {
  return accessTokens === 'jwt' || keys !== undefined
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
 * Makes the signing keys that options ask for: given ones, or stored ones that all processes share.
 * @throws {OptionMissing} there is neither a key nor a secret to store keys with
 * @throws {SigningKeyInvalid} a given key cannot be used
 */
export async function makeKeyRing(registry: ModelRegistry, options: OAuth2Settings): Promise<KeyRing> {
  const { keys = {}, session } = options
  const { jwks, algorithm, secret } = fillDefaults(KeysSchema, keys)
  if (jwks !== undefined) return givenKeyRing(jwks.keys)
  const shared = typeof session === 'object' ? session.secret : undefined
  const [first, ...others] = [secret ?? shared ?? []].flat()
  if (first === undefined)
    throw new OptionMissing(
      'JWTs are signed with keys: `keys.secret` encrypts those of the database, or give `keys.jwks`',
      {
        key: 'keys.secret'
      }
    )
  const store = modelKeyStore(keyModelIn(registry))
  const seal = createKeySeal([first, ...others])
  const settings = { store, seal, algorithm, times: keyTimes(keys), now: () => new Date() }
  return storedKeyRing(settings)
}
