import { InvalidValue } from '../errors.ts'
import type { PropertyType } from '../model/property-type.ts'
import { isPlainObject, setOwn } from './clone-plain.ts'
import { parseGeoPoint } from './geo-point.ts'
import { parseStructure } from './parse-structure.ts'
import type { ScalarKind, ValueType } from './value-type.ts'

/** A value that cannot become the declared type. `kept` stays in the record until validation refuses it. */
export class Unusable {
  readonly kept: unknown
  readonly code: string
  readonly message: string
  constructor(kept: unknown, code: string, message: string) {
    this.kept = kept
    this.code = code
    this.message = message
  }
}

/** Converts a value that is neither null nor undefined; gives `Unusable` where it cannot. */
export type Coercion = (raw: unknown) => unknown

/** Finds the properties of the model that a property's type names. */
export type FindModelProperties = (model: string) => readonly PropertyType[] | undefined

/**
 * The conversion of a property's values, as LoopBack converts them, but for two things: what would be stored as NaN or as
 * the text of an object is refused, and so is an invalid point.
 * @throws {InvalidValue} (the conversion) a list is declared and the value is none: LoopBack answers 400 to that, not 422
 * @see recordings crud/types-string, types-number, types-boolean, types-date, types-array, types-nested, types-object
 */
export function compileCoercion(type: ValueType, findModel: FindModelProperties): Coercion {
  if (type.kind === 'array') return compileListCoercion(type.items, findModel)
  if (type.kind === 'nested') return nestedCoercion(compileProperties(type.properties, findModel))
  if (type.kind === 'model') {
    // Looked up at the first value, when all models are known.
    let known: Coercion | undefined
    return (raw) => (known ??= modelCoercion(findModel(type.model) ?? [], findModel))(raw)
  }
  return scalarCoercions[type.kind]
}

function compileProperties(
  properties: readonly PropertyType[],
  findModel: FindModelProperties
): ReadonlyMap<string, Coercion> {
  return new Map(properties.map((property) => [property.name, compileCoercion(property.type, findModel)]))
}

/** A value that is described by a model has the defaults of its properties. */
function modelCoercion(properties: readonly PropertyType[], findModel: FindModelProperties): Coercion {
  const coerce = nestedCoercion(compileProperties(properties, findModel))
  const defaults = properties.filter(({ makeDefault }) => makeDefault !== undefined)
  return (raw) => {
    const value = coerce(raw)
    if (!isPlainObject(value)) return value
    for (const { name, makeDefault } of defaults) if (value[name] === undefined) setOwn(value, name, makeDefault?.())
    return value
  }
}

const isObject = (raw: unknown): raw is object => typeof raw === 'object' && raw !== null

function toText(raw: unknown): unknown {
  if (typeof raw === 'string') return raw
  if (raw instanceof Date)
    return Number.isNaN(raw.getTime()) ? new Unusable(raw, 'string', 'is not a text') : raw.toISOString()
  // An id object of a database, such as ObjectId, has a text of its own; plain data has none.
  if (isPlainObject(raw) || Array.isArray(raw)) return new Unusable(raw, 'string', 'is not a text')
  return String(raw)
}

function toNumber(raw: unknown): unknown {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw
  // LB3: blank text is 0, pinned by the recording formats/urlencoded
  const number = typeof raw === 'string' || typeof raw === 'bigint' || raw instanceof Date ? Number(raw) : NaN
  return Number.isFinite(number) ? number : new Unusable(NaN, 'number', 'is not a number')
}

function toInteger(raw: unknown): unknown {
  const number = toNumber(raw)
  return typeof number === 'number' && !Number.isInteger(number)
    ? new Unusable(number, 'integer', 'is not a whole number')
    : number
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

function toDate(raw: unknown): unknown {
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? notADate(raw) : raw
  if (typeof raw === 'number') return checkedDate(new Date(raw))
  if (typeof raw === 'string' && isRealDay(raw)) return checkedDate(new Date(raw))
  return notADate(new Date(NaN))
}

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

const toTextOrScalar = (raw: unknown): unknown =>
  isObject(raw) && !(raw instanceof Date) ? new Unusable(raw, 'string', 'is not a text') : raw

const scalarCoercions: Readonly<Record<ScalarKind, Coercion>> = {
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

function compileListCoercion(items: ValueType | undefined, findModel: FindModelProperties): Coercion {
  const coerceItem = items === undefined ? undefined : compileItemCoercion(items, findModel)
  return (raw) => {
    const list = typeof raw === 'string' ? parseStructure(raw) : raw
    if (!Array.isArray(list)) throw new InvalidValue(`a list was expected, not ${describe(raw)}`)
    if (coerceItem === undefined) return list as unknown
    const converted = list.map(coerceItem)
    const bad = converted.find((item) => item instanceof Unusable)
    return bad instanceof Unusable ? new Unusable(list, bad.code, `has an item that ${bad.message}`) : converted
  }
}

const nullItems: Readonly<Partial<Record<ValueType['kind'], unknown>>> = {
  string: 'null',
  number: 0,
  integer: 0,
  boolean: false
}

function compileItemCoercion(items: ValueType, findModel: FindModelProperties): Coercion {
  const coerce = compileCoercion(items, findModel)
  // LB3: null in a typed list becomes "null", 0 or false, pinned by crud/types-array
  const ofNull = nullItems[items.kind] ?? null
  const nested = items.kind === 'array'
  const strict = items.kind === 'boolean' || items.kind === 'number' ? itemRules[items.kind] : undefined
  return (raw) => {
    if (raw === null || raw === undefined) return ofNull
    if (!nested && Array.isArray(raw)) return new Unusable(raw, 'array', 'is a list')
    return strict?.(raw) ?? coerce(raw)
  }
}

// LB3: inside lists LoopBack converts without looking: "false" became true there. Refused instead of stored wrong.
const itemRules = {
  boolean: (raw: unknown) =>
    typeof raw === 'string' ? new Unusable(raw, 'boolean', 'is not true or false') : undefined,
  number: (raw: unknown) => (typeof raw === 'boolean' ? Number(raw) : undefined)
}

function nestedCoercion(properties: ReadonlyMap<string, Coercion>): Coercion {
  return (raw) => {
    if (!isObject(raw) || Array.isArray(raw)) return new Unusable(raw, 'object', 'is not an object')
    const converted: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(raw)) {
      const coerce = value === null || value === undefined ? undefined : properties.get(key)
      const item: unknown = coerce === undefined ? value : coerce(value)
      if (item instanceof Unusable) return new Unusable(raw, item.code, `has "${key}" that ${item.message}`)
      setOwn(converted, key, item)
    }
    return converted
  }
}

/** A short word for what a value is, for error messages. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : String(value)
}
