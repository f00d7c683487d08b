import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { ModelRegistry, OperationContext, RemoteHook, RemotePhase } from '@modelwire/core'
import { callHook, isFunction, type ScriptFunction } from '../../callback-bridge.ts'

/** Where remote hooks of scripts go. */
export interface HookPlace {
  readonly registry: ModelRegistry
  /** Hears of hooks that call back twice. */
  readonly warn: (message: string) => void
}

/** Registers `(ctx, next, method)` of `app.remotes()`, for a pattern that names the model: `Product.find`, `*.save`, `**`. */
export function addGlobalHook(place: HookPlace, phase: RemotePhase, pattern: string, hook: unknown): void {
  addHook(place, phase, pattern, hook, (context) => ({ before: [context], behind: [context.method] }))
}

/** Registers `(ctx, result, next)` of a model; hooks of errors are `(ctx, next)`. The pattern leaves the model's name out. */
export function addModelHook(
  place: HookPlace,
  model: string,
  phase: RemotePhase,
  pattern: string,
  hook: unknown
): void {
  addHook(place, phase, `${model}.${pattern}`, hook, (context) =>
    phase === 'error' ? { before: [context] } : { before: [context, context.result] }
  )
}

/** The arguments of a hook besides `next`. */
interface HookArguments {
  readonly before: readonly unknown[]
  readonly behind?: readonly unknown[]
}

function addHook(
  { registry, warn }: HookPlace,
  phase: RemotePhase,
  pattern: string,
  hook: unknown,
  toArguments: (context: OperationContext) => HookArguments
): void {
  const fn = checkHook(hook, phase, pattern)
  const run: RemoteHook = (context) => {
    const { before, behind } = toArguments(context)
    const onSecondAnswer = (): void =>
      warn(`the remote hook "${phase}" of ${context.methodString} called back twice: the first time counts`)
    return callHook(fn, context.getScope(), before, { onSecondAnswer, behind })
  }
  registry.remoteHooks.add(phase, pattern, run)
}

function checkHook(hook: unknown, phase: RemotePhase, pattern: string): ScriptFunction {
  if (isFunction(hook)) return hook
  throw new ScriptArgumentInvalid(`the remote hook "${phase}" of "${pattern}" must be a function`)
}
