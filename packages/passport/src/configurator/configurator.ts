import type { PassportApp, PassportHost, PassportModule, ScriptModel } from '../application.ts'
import { beginSessions } from './begin-sessions.ts'
import { configureProvider } from './configure-provider.ts'
import { buildLdapProfile } from '../schemes/ldap.ts'
import { type PassportModels, setUpModels } from '../models/passport-models.ts'
import { createInsecureOptionsWarning, type WarnAboutInsecureOptions } from './warn-about-insecure-options.ts'

/** The application of a configurator. */
export interface ConfiguratorHome {
  readonly app: PassportApp
  readonly host: PassportHost
}

/** LoopBack's `PassportConfigurator`. It is a class because scripts extend it, and read its members. */
export class Configurator implements PassportModels {
  readonly app: PassportApp
  readonly #host: PassportHost
  readonly #warnAboutInsecureOptions: WarnAboutInsecureOptions
  userModel: ScriptModel | undefined
  userIdentityModel: ScriptModel | undefined
  userCredentialModel: ScriptModel | undefined

  constructor({ app, host }: ConfiguratorHome) {
    this.app = app
    this.#host = host
    this.#warnAboutInsecureOptions = createInsecureOptionsWarning(host.warn)
  }

  /** Adds Passport after the sessions. True: no session stores a user. */
  init(noSession?: unknown): PassportModule {
    return beginSessions(this.app, this.#host, this, noSession)
  }

  /** Sets the models of users, identities and credentials, and their relations. */
  setupModels(options?: unknown): void {
    Object.assign(this, setUpModels(this.app, options))
  }

  /** Adds a provider: its strategy and its routes. */
  configureProvider(name: string, options: unknown): object {
    const home = {
      app: this.app,
      host: this.#host,
      models: this,
      warnAboutInsecureOptions: this.#warnAboutInsecureOptions
    }
    return configureProvider(home, name, options)
  }

  /** The profile of a directory's user. */
  buildUserLdapProfile(user: unknown, options: unknown): Record<string, unknown> {
    return buildLdapProfile(user, options)
  }
}

/** `PassportConfigurator`, which scripts call with and without `new`. */
export type ConfiguratorClass = (new (app: unknown) => Configurator) & ((app: unknown) => Configurator)

/**
 * Makes `PassportConfigurator`.
 * @param homeOf returns the parts of the application that a script passes; throws where it is not one
 * @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js
 */
export function configuratorClass(homeOf: (app: unknown) => ConfiguratorHome): ConfiguratorClass {
  const made: unknown = new Proxy(Configurator, {
    construct: (target, [app], newTarget) => Reflect.construct(target, [homeOf(app)], newTarget) as Configurator, // its class
    apply: (target, _self, [app]) => new target(homeOf(app))
  })
  return made as ConfiguratorClass // the proxy takes an application, with `new` and without
}
