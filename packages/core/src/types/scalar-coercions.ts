import { isPlainObject } from '@modelwire/server'
import { isRoundedNumber } from '../values/exact-number.ts'
import { parseGeoPoint } from '../values/geo-point.ts'
import { parseStructure } from '../values/check-structure.ts'
import { readDate } from '../values/read-date.ts'
import { Unusable, type Coercion } from '../values/unusable.ts'
import type { ScalarKind } from './property-type.ts'

const isObject = (raw: unknown): raw is object => typeof raw === 'object' && raw !== null

function toText(raw: unknown): unknown {
  if (typeof raw === 'string') return raw
  if (raw instanceof Date)
    return Number.isNaN(raw.getTime()) ? new Unusable(raw, 'string', 'is not a string') : raw.toISOString()
  // An id object of a database, such as ObjectId, has a text of its own; plain data has none.
  if (isPlainObject(raw) || Array.isArray(raw)) return new Unusable(raw, 'string', 'is not a string')
  return String(raw)
}

function toNumber(raw: unknown): unknown {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw
  // LB3: blank text is 0, pinned by the recording formats/urlencoded
  const number = typeof raw === 'string' || typeof raw === 'bigint' || raw instanceof Date ? Number(raw) : NaN
  // A number in JSON was read before; a text still has all of its digits.
  if ((typeof raw === 'string' || typeof raw === 'bigint') && isRoundedNumber(String(raw))) return rounded
  return Number.isFinite(number) ? number : new Unusable(NaN, 'number', 'is not a number')
}

const rounded = new Unusable(NaN, 'precision', 'has more digits than a number can hold: use a property of type string')

function toInteger(raw: unknown): unknown {
  const number = toNumber(raw)
  if (typeof number !== 'number' || Number.isSafeInteger(number)) return number
  // Larger whole numbers cannot be recovered: JSON was rounded when it was parsed.
  return Number.isInteger(number) ? rounded : new Unusable(number, 'integer', 'is not a whole number')
}

function toBoolean(raw: unknown): unknown {
  if (typeof raw === 'boolean') return raw
  if (isObject(raw)) return new Unusable(raw, 'boolean', 'is not true or false')
  // LB3: every other text is true, "FALSE" and "null" included, pinned by crud/types-boolean and formats/urlencoded
  return raw === 'false' || raw === '0' ? false : Boolean(raw)
}

const isoDay = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/

/** Every month has this day. */
const daysOfAllMonths = 28

/** False for days such as 31 February, which `Date` silently moves into March. */
function isRealDay(text: string): boolean {
  const day = isoDay.exec(text)
  if (day === null || Number(day[3]) <= daysOfAllMonths) return true
  return new Date(Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]))).getUTCDate() === Number(day[3])
}

const dateCoercion =
  (local: boolean) =>
  (raw: unknown): unknown => {
    if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? notADate(raw) : raw
    if (typeof raw === 'number') return checkedDate(new Date(raw))
    if (typeof raw === 'string' && isRealDay(raw)) return checkedDate(readDate(raw, local))
    return notADate(new Date(NaN))
  }

const toDate: Coercion = dateCoercion(false)

/** LB3: a string without a zone is in the zone of the process. */
export const toLocalDate: Coercion = dateCoercion(true)

const notADate = (kept: Date) => new Unusable(kept, 'date', 'is not a valid date')
const checkedDate = (date: Date) => (Number.isNaN(date.getTime()) ? notADate(date) : date)

function toDateString(raw: unknown): unknown {
  const date = toDate(raw)
  if (!(date instanceof Date)) return date
  return typeof raw === 'string' ? raw : date.toISOString().slice(0, 10)
}

function toBuffer(raw: unknown): unknown {
  if (Buffer.isBuffer(raw)) return raw
  if (typeof raw === 'string') return Buffer.from(raw)
  const bytes: unknown = isPlainObject(raw) && raw['type'] === 'Buffer' ? raw['data'] : raw
  const usable = Array.isArray(bytes) && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  return usable ? Buffer.from(bytes) : new Unusable(raw, 'buffer', 'is not a list of bytes')
}

function toGeoPoint(raw: unknown): unknown {
  return (
    parseGeoPoint(raw) ??
    new Unusable(raw, 'geopoint', 'is not a point with lat from -90 to 90 and lng from -180 to 180')
  )
}

/** LB3: text that is a JSON object or list becomes one; anything else is kept as it is. */
function toAny(raw: unknown): unknown {
  return typeof raw === 'string' ? (parseStructure(raw) ?? raw) : raw
}

/** Parses a JSON string; other values and strings are returned as is. */
export function readAny(raw: unknown): unknown {
  if (typeof raw !== 'string' || raw === '') return raw
  return parseStructure(raw) ?? parseScalar(raw)
}

function parseScalar(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? text : value
  } catch {
    return text
  }
}

const toTextOrScalar = (raw: unknown): unknown =>
  isObject(raw) && !(raw instanceof Date) ? new Unusable(raw, 'string', 'is not a string') : raw

/** The conversions to the declared types, by kind. */
export const scalarCoercions: Readonly<Record<ScalarKind, Coercion>> = {
  string: toText,
  text: toTextOrScalar,
  number: toNumber,
  integer: toInteger,
  boolean: toBoolean,
  date: toDate,
  dateString: toDateString,
  buffer: toBuffer,
  geopoint: toGeoPoint,
  object: (raw) => raw,
  any: toAny
}

/** LB3: true is 1, and a list of one number that number; what is not a number at all is refused. */
function toLooseNumber(raw: unknown): unknown {
  const number = typeof raw === 'boolean' || Array.isArray(raw) ? Number(raw) : NaN
  return Number.isFinite(number) ? number : toNumber(raw)
}

/** LB3: true is a millisecond, and a list of one date that date. */
function toLooseDate(raw: unknown): unknown {
  if (typeof raw === 'boolean') return new Date(Number(raw))
  return toLocalDate(Array.isArray(raw) ? String(raw) : raw)
}

/**
 * LoopBack's additional conversions, if `coercesLoosely` holds: nothing is stored as NaN.
 * @see loopback-datasource-juggler 3, lib/model-builder.js, registerProperty
 */
export const looseCoercions: Readonly<Partial<Record<ScalarKind, Coercion>>> = {
  number: toLooseNumber,
  boolean: (raw) => isObject(raw) || toBoolean(raw),
  date: toLooseDate,
  any: readAny
}
