import { ApiError } from '@modelwire/core'
import { rulesOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { accountSettings } from '#src/accounts/account-settings.ts'
import { readCredentials } from '#src/accounts/credentials.ts'

const settingsOf = (settings: object) => {
  const made: unknown = { definition: settings, registry: { rules: rulesOf() } }
  return accountSettings(made as ModelType) // that is all that is read of it
}
const anySettings = fc
  .record({
    realmRequired: fc.boolean(),
    realmDelimiter: fc.constantFrom(undefined, '', ':', '::', '/'),
    caseSensitiveEmail: fc.boolean()
  })
  .map(settingsOf)

void t.test('whatever is sent as credentials: texts to look for, or an error of the caller', async () => {
  const value = fc.oneof(fc.anything(), fc.string(), fc.constantFrom({ neq: 'x' }, ['x'], 'a:b', ':', '::'))
  const given = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom('email', 'username', 'realm', 'ttl'), value))
  fc.assert(
    fc.property(given, anySettings, (credentials, settings) => {
      try {
        const query = readCredentials(credentials, settings)
        const names = Object.keys(query).filter((name) => name !== 'realm')
        const isOne = names.length === 1 && ['email', 'username'].includes(names[0] ?? '')
        return isOne && Object.values(query).every((text) => typeof text === 'string' && text !== '')
      } catch (error) {
        return error instanceof ApiError && error.statusCode >= 400 && error.statusCode < 500
      }
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('a realm before its delimiter says the same as a realm of its own', async () => {
  const plain = fc.string({ unit: fc.constantFrom(...Array.from('abcAB@.-')), minLength: 1 })
  fc.assert(
    fc.property(
      plain,
      plain,
      fc.constantFrom('email', 'username'),
      fc.constantFrom(':', '::', '/'),
      (realm, name, key, realmDelimiter) => {
        const settings = settingsOf({ realmRequired: true, realmDelimiter, caseSensitiveEmail: true })
        const joined = readCredentials({ [key]: `${realm}${realmDelimiter}${name}` }, settings)
        const apart = readCredentials({ [key]: name, realm }, settings)
        return [joined, apart].every((query) => query['realm'] === realm && query[key] === name)
      }
    )
  )
})
