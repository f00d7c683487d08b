import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { HookContext, Observer } from '@modelwire/core'
import { modelNameOf } from '../../call-method.ts'
import { callHook, isFunction, type ScriptFunction } from '../../callback-bridge.ts'

/** Scripts may observe with the same function several models: it keeps its one bridge, by which it can be removed. */
const bridges = new WeakMap<ScriptFunction, Observer>()

/**
 * An observer of core for one of a script, which may be `(ctx, next)`.
 * @throws {ScriptArgumentInvalid} it is not a function
 */
export function bridgeObserver(observer: unknown, name: string, warn: (message: string) => void): Observer {
  if (!isFunction(observer)) throw new ScriptArgumentInvalid(`an observer of "${name}" must be a function`)
  const cached = bridges.get(observer)
  if (cached !== undefined) return cached
  const bridge: Observer = (context: HookContext) =>
    callHook(observer, undefined, [context], {
      onSecondAnswer: () =>
        warn(`an observer of "${name}" of ${modelNameOf(context.Model)} called back twice: the first time counts`)
    })
  bridges.set(observer, bridge)
  return bridge
}
