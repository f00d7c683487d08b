import type { ModelRegistry, RemoteHook, RemotePhase } from '@modelwire/core'
import { callHook, isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../errors.ts'

/** Registers `(ctx, next)` of `app.remotes()`, for a pattern that names the model: `Product.find`, `*.save`, `**`. */
export function addGlobalHook(registry: ModelRegistry, phase: RemotePhase, pattern: string, hook: unknown): void {
  const fn = checkHook(hook, phase, pattern)
  registry.remoteHooks.add(phase, pattern, (context) => callHook(fn, context, [context]))
}

/** Registers `(ctx, result, next)` of a model; hooks of errors are `(ctx, next)`. The pattern leaves the model's name out. */
export function addModelHook(
  registry: ModelRegistry,
  model: string,
  phase: RemotePhase,
  pattern: string,
  hook: unknown
): void {
  const fn = checkHook(hook, phase, pattern)
  const run: RemoteHook = (context) => callHook(fn, context, phase === 'error' ? [context] : [context, context.result])
  registry.remoteHooks.add(phase, `${model}.${pattern}`, run)
}

function checkHook(hook: unknown, phase: RemotePhase, pattern: string): ScriptFunction {
  if (isFunction(hook)) return hook
  throw new ScriptArgumentInvalid(`the remote hook "${phase}" of "${pattern}" must be a function`)
}
