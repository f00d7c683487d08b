import { type ModelType, type PropertyType, ValueRefused, type ValueType } from '@modelwire/core/connector'
import { isPlainObject, setOwn } from '@modelwire/server'
import { Decimal128, Long } from 'mongodb'
import { type IdCoding, objectIdOf, ofThisDriver } from './object-ids.ts'

/** Converts a value of a record to the stored one. */
export type Encode = (value: unknown) => unknown

/** The settings for storing values. */
export interface EncodeContext {
  /** For strings of the property, and of its items. */
  readonly ids: IdCoding
  /** For strings of properties within it. */
  readonly innerIds: (property: PropertyType) => IdCoding
  readonly decimal: boolean
  /** Points are stored as GeoJSON. */
  readonly geoJson: boolean
  readonly findModel: (name: string) => ModelType | undefined
}

/** Makes the function that converts values of a type for storage. Null stays null; the driver omits undefined. */
export function compileEncode(type: ValueType | undefined, context: EncodeContext): Encode {
  if (context.decimal) return nullOr((value) => (Array.isArray(value) ? value.map(decimalOf) : decimalOf(value)))
  if (type?.kind === 'array') return encodeList(type.items, context)
  if (type?.kind === 'nested') return encodeProperties(type.byName, context)
  if (type?.kind === 'model') return encodeEmbedded(type.model, context)
  if (type?.kind === 'geopoint' && context.geoJson) return nullOr(geoJsonOf)
  const { ids } = context
  return (value) => (typeof value === 'string' ? encodeText(value, ids) : encodeAny(value, ids))
}

const nullOr =
  (encode: Encode): Encode =>
  (value) =>
    value === null || value === undefined ? value : encode(value)

const encodeText = (text: string, ids: IdCoding): unknown => objectIdOf(text, ids) ?? storableText(text)

/**
 * Encodes a value without a declared type.
 * @param ids of the value itself, and of its items: values in objects are stored as they are
 */
export function encodeAny(value: unknown, ids: IdCoding): unknown {
  if (typeof value === 'string') return encodeText(value, ids)
  if (typeof value === 'bigint') return longOf(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => encodeAny(item, ids) ?? null)
  if (isPlainObject(value)) return encodeObject(value, (_name, part) => encodeAny(part, 'never'))
  return encodeInstance(value)
}

function encodeObject(
  object: Readonly<Record<string, unknown>>,
  encode: (name: string, part: unknown) => unknown
): Record<string, unknown> {
  const encoded: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(object)) setOwn(encoded, storableName(name), encode(name, part))
  return encoded
}

/** Dates, bytes and values of the driver are stored as they are; other instances as their JSON. */
function encodeInstance(value: object): unknown {
  if (value instanceof Date) return dateOf(value)
  if (value instanceof Uint8Array || value instanceof RegExp) return value
  if ('_bsontype' in value) return ofThisDriver(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    // A method without arguments that JSON.stringify would call.
    const toJson = value.toJSON as () => unknown
    return encodeAny(toJson.call(value), 'never')
  }
  return encodeAny({ ...value }, 'never')
}

function dateOf(date: Date): Date {
  if (!Number.isNaN(date.getTime())) return date
  throw new ValueRefused('the date is invalid')
}

function longOf(value: bigint): Long {
  const long = Long.fromBigInt(value)
  if (long.toBigInt() === value) return long
  throw new ValueRefused('the integer has more than 64 bits')
}

function decimalOf(value: unknown): unknown {
  if (value === null || value === undefined || value instanceof Decimal128) return value
  try {
    return Decimal128.fromString(String(value))
  } catch (cause) {
    throw new ValueRefused('the value is not a decimal number, or has more than 34 digits', { cause })
  }
}

function encodeList(items: ValueType | undefined, context: EncodeContext): Encode {
  const encode = compileEncode(items, context)
  return (value) =>
    Array.isArray(value) ? value.map((item: unknown) => encode(item) ?? null) : encodeAny(value, context.ids)
}

/** LB3: declared parts of embedded objects are stored as properties are; loopback-connector-mongodb, lib/mongodb.js, visitAllProperties. */
function encodeProperties(byName: ReadonlyMap<string, PropertyType>, context: EncodeContext): Encode {
  const encoders = new Map<string, Encode>()
  const encoderOf = (property: PropertyType): Encode => {
    const cached = encoders.get(property.name)
    if (cached !== undefined) return cached
    const made = compileEncode(property.type, { ...context, ids: context.innerIds(property) })
    encoders.set(property.name, made)
    return made
  }
  return (value) => {
    if (!isPlainObject(value)) return encodeAny(value, 'never')
    return encodeObject(value, (name, part) => {
      const property = byName.get(name)
      return property === undefined ? encodeAny(part, 'never') : encoderOf(property)(part)
    })
  }
}

/** A model may be defined after one whose records hold it. */
function encodeEmbedded(name: string, context: EncodeContext): Encode {
  let encode: Encode | undefined
  return (value) => {
    const model = context.findModel(name)
    encode ??= model && encodeProperties(model.byName, context)
    return encode === undefined ? encodeAny(value, 'never') : encode(value)
  }
}

function geoJsonOf(value: unknown): unknown {
  const lat: unknown = Reflect.get(Object(value), 'lat')
  const lng: unknown = Reflect.get(Object(value), 'lng')
  if (typeof lat !== 'number' || typeof lng !== 'number') return encodeAny(value, 'never')
  return { type: 'Point', coordinates: [lng, lat] }
}

/** A text that can be stored. @throws {ValueRefused} it has half of a surrogate pair, which would be stored as another character */
function storableText(text: string): string {
  if (text.isWellFormed()) return text
  throw new ValueRefused('a string is not well-formed Unicode')
}

/** The name of a part of a value that can be stored. @throws {ValueRefused} MongoDB reads it as an operator, or cannot store it */
function storableName(name: string): string {
  if (name.startsWith('$') || name.includes('\0') || !name.isWellFormed())
    throw new ValueRefused(`the database refuses the name ${JSON.stringify(name)}`)
  return name
}
