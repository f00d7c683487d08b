import { isPlainObject } from '@modelwire/server'
import type { AcceptCallback, CallScript, ScriptModel, ScriptRecord } from '../application.ts'
import { logIn } from './log-in.ts'
import { readProfile } from './profile.ts'

type Run = (model: ScriptModel, args: readonly unknown[]) => Promise<unknown>

interface Method {
  readonly name: string
  readonly run: (call: CallScript) => Run
  /** Calls back with several values. */
  readonly several?: true
}

const methods: Readonly<Record<string, Method>> = {
  UserIdentity: {
    name: 'login',
    several: true,
    run:
      (call) =>
      (model, [provider, authScheme, profile, credentials, options]) =>
        logIn(call, model, {
          provider: String(provider),
          authScheme: String(authScheme),
          profile,
          credentials,
          options: isPlainObject(options) ? options : {}
        })
  },
  UserCredential: { name: 'link', run: () => linkUser },
  ApplicationCredential: { name: 'link', run: () => linkApplication }
}

/**
 * Adds the method that scripts call to a model of this package, and to models that extend it: `UserIdentity.login`,
 * `UserCredential.link`, `ApplicationCredential.link`. With a callback they call back, otherwise they return a promise;
 * that of `login` resolves to a list of the user, the identity and the token.
 */
export function addMethods(model: ScriptModel, call: CallScript, accept: AcceptCallback): void {
  const method = methods[model.modelName]
  if (method === undefined) return
  const run = method.run(call)
  const isBelow = (self: unknown): self is ScriptModel => typeof self === 'function' && self.prototype instanceof model
  const value = accept(
    function (this: unknown, ...args) {
      // Scripts keep the function without its model.
      return run(isBelow(this) ? this : model, args)
    },
    method.several && ((results) => results as readonly unknown[]) // a list, as the method gives it
  )
  Object.defineProperty(model, method.name, { value, writable: true, configurable: true })
}

/** Changes the record that an account is linked by, or makes it. */
async function store(model: ScriptModel, where: object, changed: object, first: object): Promise<ScriptRecord> {
  const modified = new Date()
  const existing = await model.findOne({ where })
  if (existing !== null) {
    await existing.patchAttributes({ ...changed, modified })
    return existing
  }
  const data = { ...where, ...first, ...changed, created: modified, modified }
  return (await model.create(data)) as ScriptRecord // one object makes one record
}

/**
 * `UserCredential.link(userId, provider, authScheme, profile, credentials)`: links an account of a provider to a user.
 * @throws {ProfileIdMissing} the profile has no id
 * @see LoopBack 3: loopback-component-passport, lib/models/user-credential.js
 */
async function linkUser(model: ScriptModel, args: readonly unknown[]): Promise<ScriptRecord> {
  const [userId, provider, authScheme, rawProfile, credentials] = args
  const profile = readProfile(rawProfile)
  return store(model, { userId, provider, externalId: profile.id }, { profile, credentials }, { authScheme })
}

/**
 * `ApplicationCredential.link(appId, provider, authScheme, credentials)`: keeps what an application is known by at a provider.
 * @see LoopBack 3: loopback-component-passport, lib/models/application-credential.js
 */
async function linkApplication(model: ScriptModel, args: readonly unknown[]): Promise<ScriptRecord> {
  const [appId, provider, authScheme, credentials] = args
  return store(model, { appId, provider }, { credentials }, { authScheme })
}
