import type { Model } from '@modelwire/core'
import { isBlank, type Problem, type Rule, typeOf } from '@modelwire/core/plugin'
import { accountSettings } from './account-settings.ts'

// A local part and a host of labels; no blanks, no brackets. Whether the address exists shows when it is verified.
const address = /^[^\s@<>()[\]\\,;:"]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i

const message = 'must be a valid email address'

function emailProblem(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'string') return 'custom.string'
  return value === '' || (value.length <= 254 && address.test(value)) ? undefined : 'custom.email'
}

/** An address must look like one. */
const emailRule: Rule = {
  property: 'email',
  kind: 'custom',
  options: { message },
  sync: true,
  check: ({ record }) => {
    const code = emailProblem(record['email'])
    return code === undefined ? [] : [{ property: 'email', code, message }]
  }
}

/** With a delimiter, names are unique in their realm alone. */
function isUniqueInRealm(record: Readonly<Record<string, unknown>>): boolean {
  const { realmRequired, realmDelimiter } = accountSettings(typeOf(record as Model)) // rules see records of their model
  return realmRequired && realmDelimiter !== undefined
}

function uniqueRule(property: string, text: string): Rule {
  return {
    property,
    kind: 'uniqueness',
    options: { message: text },
    sync: false,
    check: async ({ record, isTaken }): Promise<readonly Problem[]> => {
      const value = record[property]
      // What is not a string is found fault with by another rule, and is never a condition.
      if (isBlank(value) || typeof value !== 'string') return []
      const values = isUniqueInRealm(record) ? { [property]: value, realm: record['realm'] } : { [property]: value }
      return (await isTaken(values)) ? [{ property, code: 'uniqueness', message: text }] : []
    }
  }
}

/** The rules of all accounts. @see LoopBack 3: loopback, common/models/user.js, setup */
export const accountRules: readonly Rule[] = [
  emailRule,
  uniqueRule('email', 'Email already exists'),
  uniqueRule('username', 'User already exists')
]
