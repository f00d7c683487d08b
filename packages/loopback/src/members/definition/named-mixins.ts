import { builtInMixins, type Registry, UnknownMixin } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { ScriptFunction } from '../../callback-bridge.ts'

/** Returns a mixin of the application's folder by name; undefined if there is none. */
export type FindMixin = (name: string) => ScriptFunction | undefined

const defined = new WeakMap<Registry, Map<string, ScriptFunction>>()
const folders = new WeakMap<Registry, FindMixin>()

/** The mixins that code defines with `modelBuilder.mixins.define`. */
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
 * Implements `Model.mixin('TimeStamp', options)`: applies a mixin at once.
 * @throws {UnknownMixin} no mixin has this name
 */
export function applyNamedMixin(model: ModelType, name: string, options: unknown): unknown {
  const { registry } = model
  const mixin = mixinsOf(registry).get(name) ?? folders.get(registry)?.(name) ?? builtInMixins.get(name)
  if (mixin === undefined)
    throw new UnknownMixin(`unknown mixin "${name}"`, { model: model.name, key: `mixins.${name}` })
  const input: Record<string, unknown> = isPlainObject(options) ? options : {}
  return mixin(model.modelClass, input)
}
