import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { type ReadDefinition, readDefinition } from './read-definition.ts'

type Written = Readonly<Record<string, unknown>>

/** Keys that a model has besides its settings. */
const fixed = new Set(['name', 'properties', 'options'])

interface FreeKeys {
  /** The written values, by key. */
  readonly kept: Map<string, unknown>
  readonly dropped: readonly string[]
}

const freeKeys = new WeakMap<ModelType, FreeKeys>()

/** Lets scripts find in `Model.settings` parts of a definition in shapes that the registry does not know. */
function keepFreeKeys(model: ModelType, { kept, dropped }: ReadDefinition): void {
  freeKeys.set(model, { kept: new Map(Object.entries(kept)), dropped })
}

/** The parts of a model's definition in shapes that the registry does not support, by key. */
export function freeKeysOf(model: ModelType): ReadonlyMap<string, unknown> {
  return freeKeys.get(model)?.kept ?? new Map()
}

/** The keys of a model's definition without effect, as written. */
export function droppedKeysOf(model: ModelType): readonly string[] {
  return freeKeys.get(model)?.dropped ?? []
}

/** `Model.settings`: the definition, including what only scripts use. */
export function settingsOf(model: ModelType): ModelDefinition {
  const { definition } = model
  const kept = freeKeys.get(model)?.kept
  if (kept === undefined || kept.size === 0) return definition
  const isKept = (key: PropertyKey): key is string => typeof key === 'string' && kept.has(key)
  return new Proxy<ModelDefinition>(definition, {
    get: (target, key, receiver): unknown => (isKept(key) ? kept.get(key) : Reflect.get(target, key, receiver)),
    has: (target, key) => isKept(key) || Reflect.has(target, key),
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...kept.keys()])],
    getOwnPropertyDescriptor: (target, key) =>
      isKept(key)
        ? { value: kept.get(key), enumerable: true, configurable: true, writable: true }
        : Reflect.getOwnPropertyDescriptor(target, key),
    // What a script puts in place of such a key counts.
    set: (target, key, value) => {
      if (isKept(key)) kept.delete(key)
      return Reflect.set(target, key, value)
    },
    deleteProperty: (target, key) => (isKept(key) && kept.delete(key)) || Reflect.deleteProperty(target, key)
  })
}

/**
 * A definition whose `options` are merged into its settings, overriding those at the top level, and whose base is
 * normalized. A base of false means none, and thus PersistedModel.
 * @see LoopBack 3: lib/registry.js, buildModelOptionsFromConfig and createModel
 */
export function flatDefinition(written: Written): Record<string, unknown> {
  const { options, super: _super, base: _base, ...others } = written
  const nested = isPlainObject(options) ? Object.entries(options) : []
  const settings = Object.fromEntries(nested.filter(([key, value]) => !fixed.has(key) && value !== undefined))
  const { super: parent = written['super'], base = written['base'], ...more } = settings
  const named = base || parent
  return { ...others, ...more, ...(named ? { base: named } : {}) }
}

/**
 * Defines a model of a file or a script, whose keys may have any shape that LoopBack accepts.
 * @param place the model file, for errors
 * @throws {DefinitionError} the definition is invalid; the subclass names the reason
 */
export function defineFreely(
  registry: ModelRegistry,
  definition: ModelDefinition,
  place: NonNullable<Parameters<ModelRegistry['define']>[1]> = {}
): ModelType {
  const read = readDefinition(definition)
  const { acls = [], ...others } = read.definition
  const { modelType: model } = registry.define(withoutAbsent(registry, others, place), place)
  // Rules are read by access control alone, which takes more shapes than the registry.
  model.definition.acls = [...(model.definition.acls ?? []), ...acls]
  keepFreeKeys(model, read)
  return model
}

/** LB3: a property that is null or false is left out, that of a base as well; the registry knows the latter alone. */
function withoutAbsent(
  registry: ModelRegistry,
  definition: ModelDefinition,
  { base: given }: NonNullable<Parameters<ModelRegistry['define']>[1]>
): ModelDefinition {
  const { properties = {}, base } = definition
  const inherited = (given ?? registry.latest(base ?? 'PersistedModel'))?.definition.properties ?? {}
  const isNothing = ([name, written]: [string, unknown]): boolean =>
    (written === null || written === false) && !Object.hasOwn(inherited, name)
  if (!Object.entries(properties).some(isNothing)) return definition
  const left = Object.entries(properties).filter((entry) => !isNothing(entry))
  return { ...definition, properties: Object.fromEntries(left) }
}
