import type { PassportHost, PassportModule } from '../application.ts'
import { PassportMissing, PassportStrategyMissing } from '../errors.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { readMember } from '../read-member.ts'

/** Makes a strategy of Passport out of its options and the function that verifies a user. */
export type StrategyClass = new (options: object, verify: unknown) => object

/** The application's own Passport. @throws {PassportMissing} it is not installed */
export function loadPassport({ load }: PassportHost): PassportModule {
  const passport = load('passport')
  if (passport === undefined) throw new PassportMissing('the package passport is not installed: npm install passport')
  return passport as PassportModule // the package of this name
}

/**
 * The strategy of a provider, from a package of the application.
 * @throws {PassportStrategyMissing} it is not installed, or exports none
 */
export function loadStrategy({ load }: PassportHost, provider: string, options: ProviderOptions): StrategyClass {
  const { module: name, strategy = 'Strategy' } = options
  const exports = load(name)
  const place = { key: `${provider}.module` }
  if (exports === undefined)
    throw new PassportStrategyMissing(`the package ${name} is not installed: npm install ${name}`, place)
  const found = readMember(exports, strategy) ?? exports
  if (typeof found === 'function') return found as StrategyClass // packages of strategies export a class
  throw new PassportStrategyMissing(`${name} exports no strategy "${strategy}"`, place)
}
