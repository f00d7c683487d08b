import type { ModelRegistry, RemotePhase } from '@modelwire/core'
import { ScriptArgumentInvalid } from '../errors.ts'
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
  readonly phases: { readonly addBefore: (phase: unknown, name: unknown) => RemotesPhase }
}

/** Makes what `app.remotes()` gives. */
export function createRemotes(place: HookPlace): Remotes {
  const { registry } = place
  const add = (phase: RemotePhase) => (pattern: string, hook: unknown) => addGlobalHook(place, phase, pattern, hook)
  const classes = (): SharedClass[] => publicModels(registry).map(sharedClassOf)
  const methods = (): SharedMethod[] => classes().flatMap((one) => one.methods())
  return {
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
