import { messageOf } from '../../express/script-objects.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { callHook, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import type { ModelRegistry, OperationContext, RemoteHook, RemotePhase } from '@modelwire/core'

/** Where remote hooks of scripts are added. */
export interface HookPlace {
  readonly registry: ModelRegistry
  /** Called for hooks that call back twice. */
  readonly warn: (message: string) => void
}

/**
 * Registers `(ctx, next, method)` of `app.remotes()`, for a pattern that includes the model: `Product.find`, `*.save`,
 * `**`.
 */
export function addGlobalHook(place: HookPlace, phase: RemotePhase, pattern: string, hook: unknown): void {
  addHook(place, phase, pattern, hook, (context) => ({ before: [context], behind: [context.method] }))
}

/** Registers `(ctx, result, next)` of a model; error hooks are `(ctx, next)`. The pattern does not include the model's name. */
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

/** The arguments of a hook other than `next`. */
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
      warn(`the remote hook "${phase}" of ${context.methodString} called back twice: only the first call counts`)
    const onLateError = (error: unknown): void =>
      warn(`the remote hook "${phase}" of ${context.methodString} failed after it called back: ${messageOf(error)}`)
    return callHook(fn, context.getScope(), before, { onSecondAnswer, onLateError, behind })
  }
  registry.remoteHooks.add(phase, pattern, run)
}

function checkHook(hook: unknown, phase: RemotePhase, pattern: string): ScriptFunction {
  if (isFunction(hook)) return hook
  throw new ScriptArgumentInvalid(`the remote hook "${phase}" of "${pattern}" must be a function`)
}
