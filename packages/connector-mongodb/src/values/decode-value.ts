import {
  isRoundedNumber,
  type ModelType,
  NumberNotRepresentable,
  type PropertyType,
  type ValueType
} from '@modelwire/core/connector'
import { isPlainObject, setOwn } from '@modelwire/server'
import { Binary, BSON, Decimal128, Double, Int32, Long, ObjectId, UUID } from 'mongodb'

/** Converts a stored value to that of a record. */
export type Decode = (value: unknown) => unknown

type FindModel = (name: string) => ModelType | undefined

/** Makes the function that reads values of a type. A value of another kind is read by its own kind. */
export function compileDecode(type: ValueType | undefined, findModel: FindModel): Decode {
  if (type === undefined) return decodeAny
  if (type.kind === 'array') return decodeList(type.items, findModel)
  if (type.kind === 'nested') return decodeProperties(() => type.byName, findModel)
  if (type.kind === 'model') return decodeProperties(() => findModel(type.model)?.byName, findModel)
  return scalars[type.kind]
}

/** Reads a value without a declared type: ids as strings, bytes, dates, and lists and objects of them. */
export function decodeAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(decodeAny)
  if (!isPlainObject(value)) return decodeInstance(value)
  const plain: Record<string, unknown> = {}
  for (const name of Object.keys(value)) setOwn(plain, name, decodeAny(value[name]))
  return plain
}

function decodeInstance(value: object): unknown {
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof UUID) return value.toString()
  if (value instanceof Binary) return Buffer.from(value.value())
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (value instanceof Long) return notRepresentable(value)
  if (value instanceof Decimal128) return value.toString()
  if (value instanceof Int32 || value instanceof Double) return value.valueOf()
  if (value instanceof RegExp) return value
  // What no property can hold is shown as MongoDB shows it in JSON.
  return '_bsontype' in value ? BSON.EJSON.serialize(value) : value
}

function notRepresentable(value: { toString(): string }): never {
  throw new NumberNotRepresentable(
    `the stored number ${value.toString()} has more digits than a number can hold: declare the property as a string`
  )
}

const scalars: Readonly<Record<Exclude<ValueType['kind'], 'array' | 'nested' | 'model'>, Decode>> = {
  string: textOf,
  text: decodeAny,
  number: numberOf,
  integer: numberOf,
  boolean: decodeAny,
  date: dateOf,
  dateString: (value) => (value instanceof Date ? value.toISOString() : textOf(value)),
  buffer: decodeAny,
  geopoint: pointOf,
  object: decodeAny,
  any: decodeAny
}

function textOf(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Long) return value.toString()
  if (value instanceof Binary && !(value instanceof UUID)) return Buffer.from(value.value()).toString()
  return decodeAny(value)
}

/** A text that is not a number stays as it is stored. */
function numberOf(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (value instanceof Long) return notRepresentable(value)
  const text = value instanceof Decimal128 ? value.toString() : value
  if (typeof text !== 'string' || text.trim() === '') return decodeAny(value)
  if (isRoundedNumber(text)) return notRepresentable(text)
  const number = Number(text)
  return Number.isNaN(number) && text !== 'NaN' ? text : number
}

function dateOf(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return decodeAny(value)
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date
}

/** A point is stored with its parts, or as GeoJSON. */
function pointOf(value: unknown): unknown {
  if (!isPlainObject(value)) return decodeAny(value)
  const { coordinates } = value
  if (value['type'] !== 'Point' || !Array.isArray(coordinates)) return decodeAny(value)
  const parts: readonly unknown[] = coordinates
  return { lat: parts[1], lng: parts[0] }
}

function decodeList(items: ValueType | undefined, findModel: FindModel): Decode {
  const decode = compileDecode(items, findModel)
  return (value) => (Array.isArray(value) ? value.map(decode) : decodeAny(value))
}

function decodeProperties(
  properties: () => ReadonlyMap<string, PropertyType> | undefined,
  findModel: FindModel
): Decode {
  const decoders = new Map<PropertyType, Decode>()
  const decoderOf = (property: PropertyType): Decode => {
    const cached = decoders.get(property) ?? compileDecode(property.type, findModel)
    decoders.set(property, cached)
    return cached
  }
  return (value) => {
    if (!isPlainObject(value)) return decodeAny(value)
    const byName = properties()
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const property = byName?.get(name)
      setOwn(object, name, property === undefined ? decodeAny(value[name]) : decoderOf(property)(value[name]))
    }
    return object
  }
}
