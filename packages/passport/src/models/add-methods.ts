import { isPlainObject } from '@modelwire/core/plugin'
import type { AcceptCallback, CallScript, ScriptModel } from '../application.ts'
import { linkApplication, linkUser } from './link.ts'
import { logIn } from './log-in.ts'

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
 * Gives a model of this package the method that scripts call on it, and on models that extend it: `UserIdentity.login`,
 * `UserCredential.link`, `ApplicationCredential.link`. With a callback they call back, else they give a promise; that of `login`
 * gives a list of the user, the identity and the token.
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
