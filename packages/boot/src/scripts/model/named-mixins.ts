import { builtInMixins, isPlainObject, type Registry, type ModelType, UnknownMixin } from '@modelwire/core/plugin'
import type { ScriptFunction } from '../../callback-bridge.ts'

/** How an application's folder gives mixins by name: undefined for a name that it does not have. */
export type FindMixin = (name: string) => ScriptFunction | undefined

const defined = new WeakMap<Registry, Map<string, ScriptFunction>>()
const folders = new WeakMap<Registry, FindMixin>()

/** The mixins that code defines by `modelBuilder.mixins.define`. */
export function mixinsOf(registry: Registry): Map<string, ScriptFunction> {
  const cached = defined.get(registry) ?? new Map<string, ScriptFunction>()
  defined.set(registry, cached)
  return cached
}

/** Lets `Model.mixin(name)` find the mixins of the application's folders. */
export function provideMixins(registry: Registry, find: FindMixin): void {
  folders.set(registry, find)
}

/**
 * `Model.mixin('TimeStamp', options)`: applies a mixin at once.
 * @throws {UnknownMixin} no mixin has this name
 */
export function applyNamedMixin(model: ModelType, name: string, options: unknown): unknown {
  const { registry } = model
  const mixin = mixinsOf(registry).get(name) ?? folders.get(registry)?.(name) ?? builtInMixins.get(name)
  if (mixin === undefined)
    throw new UnknownMixin(`no mixin is named "${name}"`, { model: model.name, key: `mixins.${name}` })
  const input: Record<string, unknown> = isPlainObject(options) ? options : {}
  return mixin(model.modelClass, input)
}
