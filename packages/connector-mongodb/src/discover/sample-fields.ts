import { isPlainObject } from '@modelwire/server'
import { Binary, Decimal128, type Document, Long, ObjectId } from 'mongodb'

/** A field as found in a sample of documents. */
export interface SampledField {
  readonly name: string
  /** The property type for its values; `any` if they are of several kinds. */
  readonly type: string | readonly [string]
  /** The MongoDB names of its values' types, separated by `|`. */
  readonly kinds: string
  /** ObjectIds, or lists of them. */
  readonly isReference: boolean
  readonly isDecimal: boolean
  /** Every document of the sample has a value. */
  readonly isEverywhere: boolean
  /** Some of its values. */
  readonly values: readonly unknown[]
}

interface Seen {
  readonly kinds: Set<string>
  readonly items: Set<string>
  readonly values: unknown[]
}

const mostValues = 50

/** The fields of a sample in the order of their occurrence, the id first. */
export function sampleFields(documents: readonly Document[]): readonly SampledField[] {
  const seen = new Map<string, Seen>()
  for (const document of documents) for (const [name, value] of Object.entries(document)) note(seen, name, value)
  return [...seen].map(([name, field]) => fieldOf(name, field, documents.length))
}

function note(seen: Map<string, Seen>, name: string, value: unknown): void {
  const field = seen.get(name) ?? { kinds: new Set(), items: new Set(), values: [] }
  seen.set(name, field)
  if (value === null || value === undefined) return
  field.kinds.add(kindOf(value))
  if (Array.isArray(value)) for (const item of value) field.items.add(kindOf(item))
  field.values.push(value)
}

function fieldOf(name: string, { kinds, items, values }: Seen, count: number): SampledField {
  const [only] = kinds
  const [item] = items
  const isOne = kinds.size === 1
  const isList = isOne && only === 'array'
  return {
    name,
    type: isList ? listType(items, item) : typeOf(isOne ? only : undefined),
    kinds: [...kinds].join('|') || 'null',
    isReference: isOne && (only === 'objectId' || (isList && items.size === 1 && item === 'objectId')),
    isDecimal: isOne && only === 'decimal',
    isEverywhere: values.length === count,
    values: values.flat().slice(0, mostValues)
  }
}

const listType = (items: ReadonlySet<string>, item: string | undefined): string | readonly [string] =>
  items.size === 1 ? [typeOf(item)] : 'array'

const types: Readonly<Record<string, string>> = {
  string: 'string',
  objectId: 'string',
  decimal: 'string',
  long: 'string',
  number: 'number',
  bool: 'boolean',
  date: 'date',
  binData: 'buffer',
  point: 'geopoint',
  object: 'object',
  array: 'array'
}

const typeOf = (kind: string | undefined): string => types[kind ?? ''] ?? 'any'

/** The kind of a value, as MongoDB calls it, but that all numbers are of one and points of their own. */
function kindOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return typeof value
  if (typeof value === 'boolean') return 'bool'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return 'date'
  if (isPlainObject(value)) return isPoint(value) ? 'point' : 'object'
  return instances.find(([kind]) => value instanceof kind)?.[1] ?? 'other'
}

const instances = [
  [ObjectId, 'objectId'],
  [Decimal128, 'decimal'],
  [Long, 'long'],
  [Binary, 'binData']
] as const

const isPoint = ({ lat, lng, type, coordinates }: Readonly<Record<string, unknown>>): boolean =>
  (typeof lat === 'number' && typeof lng === 'number') || (type === 'Point' && Array.isArray(coordinates))
