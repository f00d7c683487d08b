import { fillDefaults, type WithDefaults } from '@modelwire/core/plugin'
import type { WrittenOptions } from '../options/option-table.ts'
import { KeysSchema } from '../options/resource-options.ts'

/** The option `keys` with its defaults. */
export type KeySettings = WithDefaults<typeof KeysSchema>

/** What holds of keys where the option is absent, too: access tokens may be signed without it. */
export const keySettings = ({ keys = {} }: WrittenOptions): KeySettings => fillDefaults(KeysSchema, keys)

/** Whether ID tokens are given: OpenID Connect is on. */
export const givesIdTokens = (options: WrittenOptions): boolean => options.issuer !== undefined && needsKeys(options)

/** Whether anything is signed: access tokens, or what the application gave keys for. */
export function needsKeys({ accessTokens, keys }: WrittenOptions): boolean {
  return accessTokens === 'jwt' || keys !== undefined
}
