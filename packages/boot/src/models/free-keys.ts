import type { ModelDefinition } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import type { AddNote } from '../boot-report.ts'
import type { ReadDefinition } from './read-definition.ts'

interface FreeKeys {
  /** As they were written, by key. */
  readonly kept: Map<string, unknown>
  readonly dropped: readonly string[]
}

const freeKeys = new WeakMap<ModelType, FreeKeys>()

/** Lets scripts find in `Model.settings` parts of a definition in shapes that the registry does not know. */
export function keepFreeKeys(model: ModelType, { kept, dropped }: ReadDefinition): void {
  freeKeys.set(model, { kept: new Map(Object.entries(kept)), dropped })
}

/** The parts of a model's definition in shapes that the registry does not know, by key. */
export function freeKeysOf(model: ModelType): ReadonlyMap<string, unknown> {
  return freeKeys.get(model)?.kept ?? new Map()
}

/** Reports what has no meaning. */
export function noteFreeKeys(model: ModelType, file: string, add: AddNote): void {
  for (const key of freeKeys.get(model)?.dropped ?? []) {
    const reason = `${key} in this shape has no effect by itself, as in LoopBack: scripts find it in Model.settings`
    add('ignored', { file, key }, reason, { advice: 'rename the key, or correct it' })
  }
}

/** `Model.settings`: the definition, with what only scripts understand. */
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
