import { isPlainObject, type ModelDefinition, type ModelType } from '@modelwire/core'
import type { AddNote } from '../boot-report.ts'

/** A definition without what only the application's own scripts understand, and that. */
export interface SeparatedDefinition {
  readonly definition: ModelDefinition
  readonly kept: Readonly<Record<string, unknown>>
}

const isRuleSet = (value: unknown): boolean => isPlainObject(value) && 'rule' in value

/** `validations` as this application understands them: LoopBack reads none of them. */
function areValidations(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isRuleSet)
  return isPlainObject(value) && Object.values(value).every((rules) => [rules].flat().every(isRuleSet))
}

/** What is left of a key for the model itself, by the key: undefined where nothing is. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  validations: (value) => (areValidations(value) ? value : undefined),
  acls: (value) => (Array.isArray(value) ? value : undefined),
  relations: (value) => (isPlainObject(value) ? value : undefined),
  mixins: (value) => (isPlainObject(value) ? value : undefined),
  indexes: (value) => (isPlainObject(value) ? value : undefined)
}

const isWhole = (left: unknown, value: unknown): boolean =>
  left === value || (Array.isArray(left) && Array.isArray(value) && left.length === value.length)

/** LB3: keys of other shapes stay what they are: mixins and scripts of the application read them. */
export function separateFreeKeys(definition: ModelDefinition): SeparatedDefinition {
  const read = { ...definition } as Record<string, unknown> // keys of any shape, which the registry checks
  const kept: Record<string, unknown> = {}
  for (const [key, reader] of Object.entries(readers)) {
    const value = read[key]
    const left = value === undefined || value === null ? value : reader(value)
    if (isWhole(left, value)) continue
    kept[key] = value
    read[key] = left
    if (left === undefined) Reflect.deleteProperty(read, key)
  }
  return { definition: read as unknown as ModelDefinition, kept } // the same definition without these
}

const freeKeys = new WeakMap<ModelType, Map<string, unknown>>()

/** Lets scripts find what was separated in `Model.settings`. */
export function keepFreeKeys(model: ModelType, kept: SeparatedDefinition['kept']): void {
  freeKeys.set(model, new Map(Object.entries(kept)))
}

/** What a model's definition says in a shape that has no meaning here, by its key. */
export function freeKeysOf(model: ModelType): ReadonlyMap<string, unknown> {
  return freeKeys.get(model) ?? new Map()
}

/** Tells the report of what was separated. */
export function noteFreeKeys(model: ModelType, file: string, add: AddNote): void {
  for (const [key, value] of freeKeysOf(model)) {
    if (Array.isArray(value) && value.length === 0) continue
    const reason = `${key} in this shape has no effect by itself, as in LoopBack: scripts find it in Model.settings`
    add('ignored', { file, key }, reason, { advice: 'rename the key, or correct it' })
  }
}

/** `Model.settings`: the definition, with what only scripts understand. */
export function settingsOf(model: ModelType): ModelDefinition {
  const { definition } = model
  const kept = freeKeys.get(model)
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
    // What a script puts in the place of such a key counts.
    set: (target, key, value) => {
      if (isKept(key)) kept.delete(key)
      return Reflect.set(target, key, value)
    },
    deleteProperty: (target, key) => (isKept(key) && kept.delete(key)) || Reflect.deleteProperty(target, key)
  })
}
