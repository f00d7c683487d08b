import type { ModelRegistry } from '@modelwire/core'
import { OptionMissing } from '../errors.ts'
import type { OAuth2Settings } from '../options/option-table.ts'
import { configuredKeyRing } from './configured-key-ring.ts'
import { signingKeyModel } from './key-model.ts'
import type { KeyRing } from './key-ring.ts'
import type { KeySettings } from './key-settings.ts'
import { modelKeyStore } from './model-key-store.ts'
import { createKeySeal } from './seal-key.ts'
import { storedKeyRing } from './stored-key-ring.ts'

/** The model of signing keys, beside the other models of the server. */
function keyModelIn(registry: ModelRegistry): ReturnType<ModelRegistry['typeOf']> {
  if (registry.find(signingKeyModel.name) === undefined) registry.define(signingKeyModel)
  const dataSource = registry.find('OAuthAccessToken')?.dataSource
  const model = registry.typeOf(signingKeyModel.name)
  if (model.dataSource === undefined && dataSource !== undefined) registry.attach(model.name, dataSource.name)
  return model
}

/**
 * Makes the signing keys by the options: configured ones, or stored ones that all processes share.
 * @throws {OptionMissing} there is neither a key nor a secret to store keys with
 * @throws {SigningKeyInvalid} a configured key cannot be used
 */
export async function makeKeyRing(
  registry: ModelRegistry,
  { session }: Pick<OAuth2Settings, 'session'>,
  keys: KeySettings
): Promise<KeyRing> {
  const { jwks, algorithm, secret } = keys
  if (jwks !== undefined) return configuredKeyRing(jwks.keys)
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
  const settings = { store, seal, algorithm, times: keys, now: () => new Date() }
  return storedKeyRing(settings)
}
