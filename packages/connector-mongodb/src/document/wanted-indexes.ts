import { isUniqueIndex, type PropertyType, type ValueType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { Decimal128, type Document, ObjectId } from 'mongodb'
import type { DocumentMap, Field } from './document-map.ts'

/** An index that a model requires. */
export interface WantedIndex {
  readonly name: string
  readonly model: string
  /** Its key in the model's `indexes`; absent for the index of a property. */
  readonly declared?: string
  /** Fields with 1, -1, `text`, `2dsphere`, … */
  readonly key: Readonly<Record<string, unknown>>
  /** Further options of the index: `unique`, `expireAfterSeconds`, `partialFilterExpression`, … */
  readonly options: Readonly<Record<string, unknown>>
}

type Options = Readonly<Record<string, unknown>>

/**
 * The indexes of `index` and `unique` properties, and of the model's `indexes`, in all forms that LoopBack accepts.
 * @see loopback-connector-mongodb, lib/mongodb.js: autoupdate
 */
export function wantedIndexes(map: DocumentMap): readonly WantedIndex[] {
  return [...modelIndexes(map), ...map.fields.flatMap((field) => propertyIndex(map, field) ?? [])]
}

function modelIndexes(map: DocumentMap): readonly WantedIndex[] {
  const { name: model, definition } = map.model
  return Object.entries(definition.indexes ?? {}).flatMap(([name, written]) => {
    if (!isPlainObject(written)) return []
    const key = inFields(map, readKeys(written))
    const options = withoutAbsent(map, key, optionsOf(written))
    return Object.keys(key).length === 0
      ? []
      : [{ name: String(options['name'] ?? name), declared: name, model, key, options: without(options) }]
  })
}

/** `{ keys: { a: 1 } }`, `{ fields: { a: 1 } }`, `{ keys: ['a'] }`, `{ columns: 'a, b' }` or `{ a: 1 }`. */
function readKeys(written: Options): readonly (readonly [name: string, order: unknown])[] {
  const { columns } = written
  const keys = written['fields'] ?? written['keys']
  if (typeof columns === 'string') return columns.split(',').map((name) => [name.trim(), 1])
  if (Array.isArray(keys)) return keys.map((name) => [String(name), 1])
  return Object.entries(isPlainObject(keys) ? keys : written)
}

function optionsOf(written: Options): Options {
  const { options } = written
  return { ...(isPlainObject(options) && options), ...(isUniqueIndex(written) && { unique: true }) }
}

function inFields({ byProperty }: DocumentMap, keys: readonly (readonly [string, unknown])[]): Options {
  const fields: Record<string, unknown> = {}
  for (const [path, order] of keys) {
    const [property = '', ...below] = path.split('.')
    fields[[byProperty.get(property)?.name ?? property, ...below].join('.')] = order
  }
  return fields
}

function propertyIndex(map: DocumentMap, field: Field): WantedIndex | undefined {
  const { property, name } = field
  const { index } = property.definition
  if (field === map.id || (!property.index && !property.unique)) return undefined
  const written = isPlainObject(index) ? { ...index, ...(isPlainObject(index['mongodb']) && index['mongodb']) } : {}
  const { kind, mongodb: _mongodb, ...options } = written
  const order = kind ?? geoKind(map, property, index) ?? 1
  const isUnique = property.unique || options['unique'] === true
  return {
    name: String(options['name'] ?? indexName(property, name, order)),
    model: map.model.name,
    key: { [name]: order },
    options: without({ ...options, ...(isUnique && { unique: true, ...partial(field, options) }) })
  }
}

/** LB3: an index of a point is a 2dsphere index where points are stored as GeoJSON, with a name of its own. */
function geoKind({ settings }: DocumentMap, { type }: PropertyType, index: unknown): unknown {
  if (typeof index === 'string') return index
  return settings.enableGeoIndexing === true && type.kind === 'geopoint' ? '2dsphere' : undefined
}

const indexName = ({ name }: PropertyType, field: string, order: unknown): string =>
  order === '2dsphere' ? `index2dsphere${name}` : `${field}_${String(order)}`

/** `background` has no effect on servers of today, and the name stands elsewhere. */
function without({ background: _background, name: _name, ...options }: Options): Options {
  return options
}

const least: Readonly<Partial<Record<ValueType['kind'], unknown>>> = {
  string: '',
  dateString: '',
  number: -Infinity,
  integer: -Infinity,
  boolean: false,
  date: new Date(-8_640_000_000_000_000)
}

/** Several records may lack a unique value: they are not in the index, which serves every test of equality all the same. */
function partial(field: Field, { sparse, partialFilterExpression }: Options): Document {
  if (sparse === true || partialFilterExpression !== undefined) return {}
  return { partialFilterExpression: { [field.name]: hasValue(field) } }
}

/** The same of several values, all of which a record needs to be in a unique index. */
function withoutAbsent({ fields }: DocumentMap, key: Options, options: Options): Options {
  const { unique, sparse, partialFilterExpression } = options
  if (unique !== true || sparse === true || partialFilterExpression !== undefined) return options
  const tests = Object.keys(key).map((path) => {
    const field = fields.find(({ name }) => name === path)
    return [path, field === undefined ? { $exists: true } : hasValue(field)] as const
  })
  return { ...options, partialFilterExpression: Object.fromEntries(tests) }
}

function hasValue({ property, ids, decimal }: Field): Document {
  if (decimal) return { $gte: Decimal128.fromString('-Infinity') }
  const lowest = ids === 'always' ? new ObjectId('0'.repeat(24)) : least[property.type.kind]
  return lowest === undefined ? { $exists: true } : { $gte: lowest }
}
