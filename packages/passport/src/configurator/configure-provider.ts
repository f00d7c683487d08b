import {
  type Callback,
  type PassportApp,
  type PassportHost,
  type ScriptFunction,
  type ScriptModel,
  readMember,
  type PassportModule
} from '../application.ts'
import { LinkWithoutUser, PassportModelsMissing, PassportMissing, PassportStrategyMissing } from '../errors.ts'
import { type ProviderOptions, readProviderOptions } from '../provider-options.ts'
import { mountRoutes } from '../routes/mount-routes.ts'
import { redirectsOf } from '../routes/redirects.ts'
import { type Finish, type Provider, guessScheme, schemeOf } from '../schemes/scheme-table.ts'
import { modelOf, type PassportModels } from '../models/passport-models.ts'
import type { WarnAboutInsecureOptions } from './warn-about-insecure-options.ts'

/** Makes a Passport strategy from its options and the function that verifies a user. */
type StrategyClass = new (options: object, verify: unknown) => object

/** Passes the results of `UserIdentity.login` on to Passport. */
function defaultCallback(_request: unknown, done: unknown): ScriptFunction {
  return (error, user, identity, token) => {
    const info = { identity, ...(token ? { accessToken: token } : {}) }
    ;(done as Callback)(error, user, info) // Passport's callback
  }
}

/** @throws {PassportModelsMissing} the model does not extend the one that has the method */
function callMethod(model: ScriptModel, name: string, args: readonly unknown[]): void {
  const method = readMember(model, name)
  if (typeof method === 'function') method.apply(model, args)
  else throw new PassportModelsMissing(`the model ${model.modelName} has no method ${name}`)
}

/**
 * Scripts may put functions of their own in place of `login` and `link`: they are called with a callback, as in
 * LoopBack.
 */
function finishing({ name, authScheme, options, models }: Omit<Provider, 'finish'>, provider: string): Finish {
  const { loginCallback = defaultCallback } = options
  // LB3: records of SAML have the name of the configuration.
  const recorded = authScheme.toLowerCase() === 'saml' ? name : provider
  const logIn: Finish = (request, profile, credentials, done) => {
    const model = modelOf(models, 'userIdentityModel')
    const callback = loginCallback.call(undefined, request, done)
    callMethod(model, 'login', [recorded, authScheme, profile, credentials, options, callback])
  }
  const link: Finish = ({ user }, profile, credentials, done) => {
    const model = modelOf(models, 'userCredentialModel')
    const id = readMember(user, 'id')
    callMethod(model, 'link', [id, recorded, authScheme, profile, credentials, options, done])
  }
  return (request, profile, credentials, done) => {
    if (options.link && !request.user) return done(new LinkWithoutUser('No user is logged in'))
    return guarded(options.link ? link : logIn)(request, profile, credentials, done)
  }
}

/** Strategies do not expect that what they call throws. */
function guarded(finish: Finish): Finish {
  return (request, profile, credentials, done) => {
    try {
      finish(request, profile, credentials, done)
    } catch (error) {
      done(error)
    }
  }
}

/** The application of the providers. */
export interface ProviderHome {
  readonly app: PassportApp
  readonly host: PassportHost
  readonly models: PassportModels
  readonly warnAboutInsecureOptions: WarnAboutInsecureOptions
}

/**
 * Adds the strategy of a provider to Passport, and mounts its routes.
 * @throws {InvalidOption} an option has the wrong type
 * @throws {PassportMissing} Passport is not installed
 * @throws {PassportStrategyMissing} the module of the strategy is not installed, or exports none
 * @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js, configureProvider
 */
export function configureProvider(
  { app, host, models, warnAboutInsecureOptions }: ProviderHome,
  name: string,
  rawOptions: unknown
): object {
  const options: ProviderOptions = readProviderOptions(name, rawOptions)
  const passport = loadPassport(host)
  const Strategy = loadStrategy(host, name, options)
  const authScheme = options.authScheme || guessScheme(options)
  const provider = { name, provider: options.provider || name, authScheme, options, models, host }
  const scheme = schemeOf(authScheme)
  const settings = Object.entries(scheme.options(options)).filter(([, value]) => value !== undefined)
  const finish = finishing(provider, provider.provider)
  const strategy = new Strategy({ ...options, ...Object.fromEntries(settings) }, scheme.verify({ ...provider, finish }))
  passport.use(name, strategy)
  warnAboutInsecureOptions(name, authScheme, options)
  mountRoutes({ app, passport, name, options, redirects: redirectsOf(options), authScheme: authScheme.toLowerCase() })
  return strategy
}

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
function loadStrategy({ load }: PassportHost, provider: string, options: ProviderOptions): StrategyClass {
  const { module: name, strategy = 'Strategy' } = options
  const exports = load(name)
  const place = { key: `${provider}.module` }
  if (exports === undefined)
    throw new PassportStrategyMissing(`the package ${name} is not installed: npm install ${name}`, place)
  const found = readMember(exports, strategy) ?? exports
  if (typeof found === 'function') return found as StrategyClass // packages of strategies export a class
  throw new PassportStrategyMissing(`${name} exports no strategy "${strategy}"`, place)
}
