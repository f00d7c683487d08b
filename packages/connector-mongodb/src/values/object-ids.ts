import { isPlainObject } from '@modelwire/server'
import { ObjectId, Binary, Decimal128, Double, Int32, Long } from 'mongodb'

/** Values of BSON have the major version of the package that made them here, since version 5. */
const version = Symbol.for('@@mdb.bson.version')

const isOfThisDriver = (value: object): boolean =>
  Reflect.get(value, version) === Reflect.get(ObjectId.prototype, version)

const makers: Readonly<Record<string, (value: object) => unknown>> = {
  ObjectID: toObjectId,
  ObjectId: toObjectId,
  Decimal128: (value) => Decimal128.fromString(String(value)),
  Long: (value) => Long.fromString(String(value)),
  Double: (value) => new Double(Number(value)),
  Int32: (value) => new Int32(Number(value)),
  Binary: binaryOf
}

/**
 * How strings of a property are stored. `always`: as ObjectIds if they have that form; `lookalike`: the same, but only if
 * they can be read back unchanged; `never`: as strings.
 */
export type IdCoding = 'always' | 'lookalike' | 'never'

const hexLength = 24
const anyCase = /^[\da-f]{24}$/i
const lowerCase = /^[\da-f]{24}$/

/** The ObjectId with the given string form; undefined if it is stored as a string. */
export function objectIdOf(text: string, coding: IdCoding): ObjectId | undefined {
  if (text.length !== hexLength || coding === 'never') return undefined
  return (coding === 'always' ? anyCase : lowerCase).test(text) ? new ObjectId(text) : undefined
}

/** Converts an ObjectId of any driver version; undefined for anything else. */
export function toObjectId(value: object): ObjectId | undefined {
  if (value instanceof ObjectId) return value
  if (isPlainObject(value) || !/^ObjectI[dD]$/.test(String(Reflect.get(value, '_bsontype')))) return undefined
  const text = String(value)
  return anyCase.test(text) ? new ObjectId(text) : undefined
}

/** True for a string that could be an ObjectId, in any case. */
export const isObjectIdText = (text: string): boolean => anyCase.test(text)

/** Bytes of versions before 5 lie at the start of a larger buffer. */
function binaryOf(value: object): Binary | undefined {
  const [bytes, length, subType] = ['buffer', 'position', 'sub_type'].map((name): unknown => Reflect.get(value, name))
  if (!(bytes instanceof Uint8Array) || typeof length !== 'number') return undefined
  return new Binary(bytes.subarray(0, length), typeof subType === 'number' ? subType : undefined)
}

/**
 * Converts a BSON value of any driver version to this version; one without a counterpart is returned as is, and the driver
 * then refuses it.
 */
export function ofThisDriver(value: object): unknown {
  if (isOfThisDriver(value)) return value
  return makers[String(Reflect.get(value, '_bsontype'))]?.(value) ?? value
}

/**
 * Converts the arguments of a script for the driver: values of another driver version are replaced, also within lists and
 * objects.
 */
export function withThisDriver(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(withThisDriver)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isPlainObject(value)) return '_bsontype' in value ? ofThisDriver(value) : value
  const parts = Object.entries(value).map(([name, part]) => [name, withThisDriver(part)] as const)
  return parts.some(([name, part]) => part !== value[name]) ? Object.fromEntries(parts) : value
}
