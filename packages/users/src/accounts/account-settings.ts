import { type Call, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

/** The account settings of a user model. The names are LoopBack's. */
export interface AccountSettings {
  /** Default lifetime of a token in seconds. */
  readonly ttl: number
  /** The maximum lifetime that a client may request, in seconds. */
  readonly maxTTL: number
  /** Lifetime of a reset token in seconds. */
  readonly resetPasswordTokenTTL: number
  /** Cost of password hashes: two to this power rounds. */
  readonly saltWorkFactor: number
  readonly realmRequired: boolean
  readonly realmDelimiter: string | undefined
  /** Clients choose the realm of an account that they create. Application folders allow it, as LoopBack does. */
  readonly clientsChooseRealm: boolean
  readonly caseSensitiveEmail: boolean
  readonly emailVerificationRequired: boolean
  /** A reset token is only valid for setting a new password, and no other token is. */
  readonly restrictResetPasswordTokenScope: boolean
  /** Whether changing a password along with other properties, without the old one, is refused, and for whom. */
  readonly rejectPasswordChangesViaPatchOrReplace: 'everybody' | 'clients' | 'nobody'
}

const positive = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value !== 0 ? value : otherwise

/** Two weeks, a year, fifteen minutes: LoopBack's. */
const defaults = { ttl: 1_209_600, maxTTL: 31_556_926, reset: 900, cost: 10 }

type Rejected = AccountSettings['rejectPasswordChangesViaPatchOrReplace']

function rejectedCallers({ definition, registry }: ModelType): Rejected {
  const setting = definition['rejectPasswordChangesViaPatchOrReplace']
  if (setting === undefined) return registry.rules.patchesPasswords ? 'nobody' : 'clients'
  return setting ? 'everybody' : 'nobody'
}

/** Reads the settings of a user model, which scripts may change until routes are mounted. */
export function accountSettings(model: ModelType): AccountSettings {
  const { definition, registry } = model
  const delimiter = definition['realmDelimiter']
  const isOn = (name: string): boolean => Boolean(definition[name])
  const isOnOr = (name: string, absent: boolean): boolean => (definition[name] === undefined ? absent : isOn(name))
  return {
    ttl: positive(definition['ttl'], defaults.ttl),
    maxTTL: positive(definition['maxTTL'], defaults.maxTTL),
    resetPasswordTokenTTL: positive(definition['resetPasswordTokenTTL'], defaults.reset),
    saltWorkFactor: positive(definition['saltWorkFactor'], defaults.cost),
    realmRequired: isOn('realmRequired'),
    realmDelimiter: typeof delimiter === 'string' && delimiter !== '' ? delimiter : undefined,
    clientsChooseRealm: isOnOr('clientsChooseRealm', registry.rules.letsClientsChooseRealm),
    caseSensitiveEmail: isOn('caseSensitiveEmail'),
    emailVerificationRequired: isOn('emailVerificationRequired'),
    restrictResetPasswordTokenScope: isOnOr('restrictResetPasswordTokenScope', !registry.rules.opensResetTokens),
    rejectPasswordChangesViaPatchOrReplace: rejectedCallers(model)
  }
}

/** An email address in the form that is stored and looked up. */
export function storedEmail(email: string, { caseSensitiveEmail }: AccountSettings): string {
  return caseSensitiveEmail ? email : email.toLowerCase()
}

/** The call with which an account is looked up by a name that somebody entered. */
export function accountLookup({ registry }: ModelType): Call {
  return registry.rules.comparesByCollation ? { options: {} } : serverCall()
}
