import { isPlainObject } from '@modelwire/core/connector'
import { Binary, Decimal128, Double, Int32, Long, ObjectId } from 'mongodb'
import { ofAnyDriver } from './object-ids.ts'

/** Values of BSON have the major version of the package that made them here, since version 5. */
const version = Symbol.for('@@mdb.bson.version')

const isOfThisDriver = (value: object): boolean =>
  Reflect.get(value, version) === Reflect.get(ObjectId.prototype, version)

/** Bytes of versions before 5 lie at the start of a larger buffer. */
function binaryOf(value: object): Binary | undefined {
  const [bytes, length, subType] = ['buffer', 'position', 'sub_type'].map((name): unknown => Reflect.get(value, name))
  if (!(bytes instanceof Uint8Array) || typeof length !== 'number') return undefined
  return new Binary(bytes.subarray(0, length), typeof subType === 'number' ? subType : undefined)
}

const makers: Readonly<Record<string, (value: object) => unknown>> = {
  ObjectID: ofAnyDriver,
  ObjectId: ofAnyDriver,
  Decimal128: (value) => Decimal128.fromString(String(value)),
  Long: (value) => Long.fromString(String(value)),
  Double: (value) => new Double(Number(value)),
  Int32: (value) => new Int32(Number(value)),
  Binary: binaryOf
}

/**
 * A value of BSON as this version of the driver writes it, whichever version made it; one that it has no counterpart of as it is, which
 * the driver then refuses.
 */
export function ofThisDriver(value: object): unknown {
  if (isOfThisDriver(value)) return value
  return makers[String(Reflect.get(value, '_bsontype'))]?.(value) ?? value
}

/**
 * Converts what a script passes to the driver: values that another version of it made are exchanged, in lists and
 * objects, too.
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
