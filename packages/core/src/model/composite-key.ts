import { isPlainObject } from '@modelwire/server'
import type { Condition } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { InvalidDefinition } from '../definition/errors.ts'
import { compileCoercion } from '../types/coerce-value.ts'
import { compileProperty } from '../types/compile-type.ts'
import { plainKinds, type PropertyType, type ValueType } from '../types/property-type.ts'
import { type Coercion, Unusable } from '../values/unusable.ts'

// The id of records that several properties identify is one text everywhere: the parts in the order of the key, each percent-encoded,
// separated by commas, as it stands in a path. It is made and read here only.

type Keyed = Pick<ModelType, 'key'>

/** The place in the key: a number where the definition has one, as in `id: 2`. */
const placeOf = ({ definition: { id } }: PropertyType): number => (typeof id === 'number' ? id : 0)

/**
 * The properties that identify a record together, in the order of the key. LB3: it is the first one alone, and so it is where the
 * database generates a part, which a new record has no id without.
 * @throws {InvalidDefinition} one of several has values that no path can hold
 */
export function keyOf(
  { name, file, registry }: ModelType,
  properties: readonly PropertyType[]
): readonly PropertyType[] {
  const ids = properties.filter(({ id }) => id)
  if (registry.rules.changesAllOfId || ids.length < 2 || ids.some(({ generated }) => generated)) return ids.slice(0, 1)
  const other = ids.find(({ type }) => !plainKinds.has(type.kind))
  if (other !== undefined)
    throw new InvalidDefinition('a part of an id must be a string, a number, a boolean or a date', {
      model: name,
      ...(file !== undefined && { file }),
      key: `properties.${other.name}`
    })
  return ids.toSorted((one, next) => placeOf(one) - placeOf(next))
}

/** The id as if it were one property, named after all of its parts: conditions may use it, records do not have it. */
export function idOfKey({ name: model }: ModelType, key: readonly PropertyType[]): PropertyType | undefined {
  const [only, ...more] = key
  if (more.length === 0) return only
  const place = { model, key: 'properties', dottedNames: false }
  return compileProperty(key.map(({ name }) => name).join(), { type: 'string', id: true, generated: false }, place)
}

/** True if several properties identify the records. */
export const isComposite = ({ key }: Keyed): boolean => key.length > 1

/** Halves of a surrogate pair are no characters, so UTF-8 has no bytes for them, and no path. */
function isScalar(value: unknown): value is string | number | boolean | Date {
  if (typeof value === 'string') return value.isWellFormed()
  return ['number', 'boolean'].includes(typeof value) || (value instanceof Date && !Number.isNaN(value.getTime()))
}

/** Undefined for a text that is not percent-encoded. */
function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The id of a record; undefined while a part is missing, or none that an id can have. */
export function keyTextOf({ key }: Keyed, record: Readonly<Row>): string | undefined {
  const values = key.map(({ name }) => record[name])
  if (!values.every(isScalar)) return undefined
  return values.map((value) => encodeURIComponent(value instanceof Date ? value.toISOString() : String(value))).join()
}

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [true, true],
  [false, false]
])

const coercions = new WeakMap<ValueType, Coercion>()

function coercionOf(type: ValueType): Coercion {
  const coerce = coercions.get(type) ?? compileCoercion(type, { findModel: () => undefined })
  coercions.set(type, coerce)
  return coerce
}

/** A part in its declared type; undefined for one that no record can have. */
function toPart({ type }: PropertyType, raw: unknown): unknown {
  if (!isScalar(raw) || raw === '') return undefined
  if (type.kind === 'boolean') return booleans.get(raw)
  if (type.kind === 'text') return String(raw)
  if (type.kind !== 'string' && typeof raw === 'string' && raw.trim() !== raw) return undefined
  const part = coercionOf(type)(raw)
  return part instanceof Unusable ? undefined : part
}

/** True for the value of a record that its id leads back to. */
export function isPart(property: PropertyType, value: unknown): boolean {
  const part = toPart(property, value)
  return part !== undefined && (part instanceof Date ? value instanceof Date : part === value)
}

function rawParts({ key }: Keyed, id: unknown): Readonly<Row> | undefined {
  if (isPlainObject(id)) return Object.keys(id).length === key.length ? id : undefined
  const texts = typeof id === 'string' ? id.split(',') : []
  if (texts.length !== key.length) return undefined
  return Object.fromEntries(key.map(({ name }, at) => [name, decodePart(texts[at] ?? '')]))
}

/** The values of an id by their properties: of its text, or of an object that has them. Undefined if no record can have it. */
export function keyValues(model: Keyed, id: unknown): Row | undefined {
  const raw = rawParts(model, id)
  if (raw === undefined) return undefined
  const parts = model.key.map((property) => [property.name, toPart(property, raw[property.name])] as const)
  return parts.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(parts)
}

const equals = ({ name, type }: PropertyType, value: unknown): Condition => ({
  kind: 'test',
  path: [name],
  type,
  test: 'equals',
  value
})

/** The condition that only the record with this id satisfies. */
export function hasKey(model: Keyed, id: unknown): Condition {
  const values = keyValues(model, id)
  if (values === undefined) return { kind: 'never' }
  return { kind: 'and', conditions: model.key.map((property) => equals(property, values[property.name])) }
}

/** The condition that only the records with these ids satisfy: those that differ in their last parts alone are one test. */
export function hasOneOfKeys(model: Keyed, ids: readonly unknown[]): Condition {
  const [last, ...others] = model.key.toReversed()
  const groups = new Map<string | undefined, { readonly first: Condition[]; readonly values: unknown[] }>()
  for (const id of ids) {
    const values = keyValues(model, id)
    if (values === undefined || last === undefined) continue
    const text = keyTextOf({ key: others }, values)
    const group = groups.get(text) ?? { first: others.map((each) => equals(each, values[each.name])), values: [] }
    groups.set(text, group)
    group.values.push(values[last.name])
  }
  if (last === undefined || groups.size === 0) return { kind: 'never' }
  const conditions = Array.from(groups.values(), ({ first, values }): Condition => ({
    kind: 'and',
    conditions: [...first, { kind: 'test', path: [last.name], type: last.type, test: 'in', values }]
  }))
  return anyOf(conditions)
}

/** SQL that alternatives stand in side by side is nested as deep as they are many, and SQLite takes a thousand. */
const alternatives = 100

/** Alternatives of alternatives, where there are many. */
function anyOf(conditions: readonly Condition[]): Condition {
  if (conditions.length <= alternatives) return { kind: 'or', conditions }
  const size = Math.ceil(conditions.length / alternatives)
  const starts = Array.from({ length: Math.ceil(conditions.length / size) }, (_, at) => at * size)
  return { kind: 'or', conditions: starts.map((start) => anyOf(conditions.slice(start, start + size))) }
}

/** The id of a record; undefined while it has none. That of several properties is a text. */
export function idOf(model: Pick<ModelType, 'key'>, record: Readonly<Row>): unknown {
  const [property] = model.key
  return isComposite(model) ? keyTextOf(model, record) : property && record[property.name]
}
