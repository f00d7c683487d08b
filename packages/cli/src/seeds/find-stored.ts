import type { Instance } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { isSame } from './report.ts'
import { type SeedRun, unknownKey } from './seed-run.ts'

const named = (list: readonly unknown[]): readonly string[] =>
  list.filter((name): name is string => typeof name === 'string')

const isUnique = ({ options, kind, unique }: Readonly<Record<string, unknown>>): boolean =>
  unique === true ||
  (typeof kind === 'string' && /unique/i.test(kind)) ||
  (isPlainObject(options) && options['unique'] === true)

/** A stored record of any model. */
export type Stored = Instance<Record<string, unknown>>

type Data = Readonly<Record<string, unknown>>

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== unknownKey

/** The groups of properties that identify the record with this data: its id, else its unique values. */
export function keysOf(model: ModelType, data: Data): readonly Data[] {
  const id = model.keyNames
  const hasId = id.length > 0 && id.every((name) => isPresent(data[name]))
  const groups = hasId ? [id] : uniqueKeys(model)
  return groups
    .filter((names) => names.every((name) => isPresent(data[name])))
    .map((names) => Object.fromEntries(names.map((name) => [name, data[name]])))
}

/** True where a record has a value: a password is stored as its hash. */
async function hasValue(stored: Stored, name: string, value: unknown): Promise<boolean> {
  const { [name]: own } = stored.toObject()
  if (isSame(own, value)) return true
  const check: unknown = name === 'password' ? Reflect.get(stored, 'hasPassword') : undefined
  return typeof check === 'function' && (await check.call(stored, value)) === true
}

/** The properties whose stored values differ. */
export async function differences(stored: Stored, data: Data): Promise<string[]> {
  const names: string[] = []
  for (const [name, value] of Object.entries(data)) if (!(await hasValue(stored, name, value))) names.push(name)
  return names
}

/** Values that a query can look for as they are. */
const isComparable = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date

async function findEqual(run: SeedRun, model: ModelType, data: Data): Promise<Stored | undefined> {
  const entries = Object.entries(data)
  if (entries.some(([, value]) => value === unknownKey)) return undefined
  const where = Object.fromEntries(entries.filter(([name, value]) => isComparable(value) && name !== 'password'))
  for (const stored of await run.registry.get(model.name).find({ where }))
    if ((await differences(stored, data)).length === 0) return stored
  return undefined
}

/**
 * The record that a seed describes: the one with its id or unique values, else one with all of its values.
 * @param data converted to the types of its properties
 */
export async function findStored(run: SeedRun, model: ModelType, data: Data): Promise<Stored | undefined> {
  if (run.dryRun && run.deleted.has(model.name)) return undefined
  const keys = keysOf(model, data)
  if (keys.length === 0) return findEqual(run, model, data)
  for (const where of keys) {
    const stored = await run.registry.get(model.name).findOne({ where })
    if (stored !== null) return stored
  }
  return undefined
}

/** `{ keys: { a: 1 } }`, `{ keys: ['a'] }`, `{ columns: 'a, b' }` or `{ a: 1 }`. */
function propertiesOf(index: Readonly<Record<string, unknown>>): readonly string[] {
  const { keys, columns } = index
  if (typeof columns === 'string') return columns.split(',').map((name) => name.trim())
  if (Array.isArray(keys)) return named(keys)
  if (isPlainObject(keys)) return Object.keys(keys)
  return Object.keys(index).filter((name) => index[name] === 1 || index[name] === -1)
}

/**
 * Groups of properties that no two records of a model share: `unique` properties, rules of uniqueness, and unique `indexes` in
 * LoopBack's ways of writing them.
 */
function uniqueKeys({ properties, rules, definition }: ModelType): readonly (readonly string[])[] {
  const own = properties.filter(({ unique }) => unique).map(({ name }) => [name])
  const byRule = rules
    .filter(({ kind }) => kind === 'uniqueness')
    .map(({ property, options }) => [property, ...named([options['scopedTo']].flat())])
  const indexes = Object.values(definition.indexes ?? {}).filter(isPlainObject)
  return [...own, ...byRule, ...indexes.filter(isUnique).map(propertiesOf)].filter((names) => names.length > 0)
}
