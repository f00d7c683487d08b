import { AccessRuleSchema, isPlainObject, type ModelDefinition, type ModelType } from '@modelwire/core'
import { Value } from '@sinclair/typebox/value'
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

const isRule = (value: unknown): boolean => Value.Check(AccessRuleSchema, value)

/** What is left of a key for the model itself, by the key: undefined where nothing is. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  validations: (value) => (areValidations(value) ? value : undefined),
  acls: (value) => (Array.isArray(value) ? value.filter(isRule) : undefined),
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

const freeKeys = new WeakMap<ModelType, Readonly<Record<string, unknown>>>()

/** Lets scripts find what was separated in `Model.settings`, and tells the report of it. */
export function keepFreeKeys(model: ModelType, kept: SeparatedDefinition['kept'], file: string, add: AddNote): void {
  const keys = Object.keys(kept)
  if (keys.length === 0) return
  freeKeys.set(model, kept)
  for (const key of keys.filter((name) => !isEmptyList(kept[name])))
    add(
      'ignored',
      { file, key },
      `${key} in this shape has no effect by itself, as in LoopBack: scripts find it in Model.settings`,
      {
        advice:
          key === 'acls'
            ? 'write access rules as objects of principalType, principalId and permission'
            : 'rename the key, or correct it'
      }
    )
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** `Model.settings`: the definition, with what only scripts understand. */
export function settingsOf(model: ModelType): ModelDefinition {
  const { definition } = model
  const kept = freeKeys.get(model)
  if (kept === undefined) return definition
  return new Proxy<ModelDefinition>(definition, {
    get: (target, key, receiver): unknown =>
      typeof key === 'string' && Object.hasOwn(kept, key) ? kept[key] : Reflect.get(target, key, receiver)
  })
}
