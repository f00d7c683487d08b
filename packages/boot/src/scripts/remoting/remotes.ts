import type { ModelRegistry, RemotePhase } from '@modelwire/core'
import type { ScriptAuthorization } from '../../access/script-authorization.ts'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { addGlobalHook, type HookPlace } from './remote-hooks.ts'
import { type SharedClass, sharedClassOf } from './shared-class.ts'
import type { SharedMethod } from './shared-method.ts'

/** A phase of a call that scripts add a step to. */
export interface RemotesPhase {
  readonly use: (handler: unknown) => void
}

/** `app.remotes()`: the remote methods of all public models, and hooks for patterns that name the model. */
export interface Remotes {
  readonly before: (pattern: string, hook: unknown) => void
  readonly after: (pattern: string, hook: unknown) => void
  readonly afterError: (pattern: string, hook: unknown) => void
  readonly classes: () => SharedClass[]
  readonly methods: () => SharedMethod[]
  /** The method called `Product.find` or `Product.prototype.patchAttributes`. */
  readonly findMethod: (stringName: string) => SharedMethod | undefined
  /** `(ctx, next)`: says who may call what, in the place of access control; undefined before `enableAuth`. */
  authorization: ScriptFunction | undefined
  readonly phases: { readonly addBefore: (phase: unknown, name: unknown) => RemotesPhase }
}

/** What `app.remotes()` is made of. */
export interface RemotesParts extends HookPlace {
  readonly authorization: ScriptAuthorization
  /** A script asked for access control. */
  readonly isAuthEnabled: () => boolean
}

/** LB3: without a function every call passes. */
const letPass: ScriptFunction = (_context, next) => {
  if (isFunction(next)) next()
}

/** @throws {ScriptArgumentInvalid} it is no function, or comes too late to be asked */
function replaceAuthorization({ authorization, registry, isAuthEnabled }: RemotesParts, given: unknown): void {
  if (given !== undefined && given !== null && !isFunction(given))
    throw new ScriptArgumentInvalid('remotes.authorization must be a function', { key: 'authorization' })
  if (registry.sealed && !isAuthEnabled() && authorization.custom === undefined)
    throw new ScriptArgumentInvalid('remotes.authorization must be set before the application is started', {
      key: 'authorization'
    })
  authorization.custom = given === authorization.standard ? undefined : (given ?? letPass)
}

/** Makes what `app.remotes()` gives. */
export function createRemotes(place: RemotesParts): Remotes {
  const { registry } = place
  const add = (phase: RemotePhase) => (pattern: string, hook: unknown) => addGlobalHook(place, phase, pattern, hook)
  const classes = (): SharedClass[] => publicModels(registry).map(sharedClassOf)
  const methods = (): SharedMethod[] => classes().flatMap((one) => one.methods())
  const { authorization, isAuthEnabled } = place
  return {
    get authorization() {
      return authorization.custom ?? (isAuthEnabled() ? authorization.standard : undefined)
    },
    set authorization(given: ScriptFunction | undefined) {
      replaceAuthorization(place, given)
    },
    before: add('before'),
    after: add('after'),
    afterError: add('error'),
    classes,
    methods,
    findMethod: (stringName) => methods().find((method) => method.stringName === stringName),
    phases: { addBefore: (phase) => phaseBefore(place, phase) }
  }
}

function publicModels(registry: ModelRegistry): ReturnType<ModelRegistry['typeOf']>[] {
  const models = registry.names().map((name) => registry.typeOf(name))
  return models.filter(({ definition }) => definition.public === true)
}

/**
 * The step ahead of the call that LoopBack's documents recommend for filling in `ctx.args.options`.
 * @throws {ScriptArgumentInvalid} it is not to come before `invoke`
 */
function phaseBefore(place: HookPlace, phase: unknown): RemotesPhase {
  if (phase === 'invoke') return { use: (handler) => addGlobalHook(place, 'first', '**', handler) }
  throw new ScriptArgumentInvalid('phases of remote methods can be added before "invoke" alone', { key: String(phase) })
}
