import { describe } from './describe.ts'
import { InvalidValue } from '../errors.ts'
import type { PropertyType } from '../model/property-type.ts'
import { isPlainObject, setOwn } from './clone-plain.ts'
import { declaredFirst } from './declared-first.ts'
import { isRoundedNumber } from './exact-number.ts'
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

/** A converted value as it is stored where nothing refuses it; null where it could not be converted. */
export const usableOr = (value: unknown, otherwise: unknown = null): unknown =>
  value instanceof Unusable ? otherwise : value

/** Converts a value that is neither null nor undefined; gives `Unusable` where it cannot. */
export type Coercion = (raw: unknown) => unknown

/** Finds the properties of the model that a property's type names. */
export type FindModelProperties = (model: string) => readonly PropertyType[] | undefined

/** What conversions go by. */
export interface CoercionNeeds {
  readonly findModel: FindModelProperties
  /** LB3: texts given for `any`, and for lists, are JSON wherever they can be: "5" becomes 5, "null" an empty list. */
  readonly readsTexts?: boolean
}

/**
 * The conversion of a property's values, as LoopBack converts them, but for two things: what would be stored as NaN or as
 * the text of an object is refused, and so is an invalid point.
 * @throws {InvalidValue} (the conversion) a list is declared and the value is none: LoopBack answers 400 to that, not 422
 * @see recordings crud/types-string, types-number, types-boolean, types-date, types-array, types-nested, types-object
 */
export function compileCoercion(type: ValueType, needs: CoercionNeeds): Coercion {
  if (type.kind === 'array') return compileListCoercion(type.items, needs)
  if (type.kind === 'nested') return nestedCoercion(compileProperties(type.properties, needs))
  if (type.kind === 'model') {
    // Looked up at the first value, when all models are known.
    let known: Coercion | undefined
    return (raw) => (known ??= modelCoercion(needs.findModel(type.model) ?? [], needs))(raw)
  }
  return type.kind === 'any' && needs.readsTexts === true ? readAny : scalarCoercions[type.kind]
}

function compileProperties(properties: readonly PropertyType[], needs: CoercionNeeds): ReadonlyMap<string, Coercion> {
  return new Map(properties.map((property) => [property.name, compileCoercion(property.type, needs)]))
}

/** A value that is described by a model has the defaults of its properties. */
function modelCoercion(properties: readonly PropertyType[], needs: CoercionNeeds): Coercion {
  const coerce = nestedCoercion(compileProperties(properties, needs))
  const defaults = properties.filter((property) => property.makeDefault)
  if (defaults.length === 0) return coerce
  return (raw) => coerce(isObject(raw) && !Array.isArray(raw) ? withDefaults(raw, defaults) : raw)
}

function withDefaults(raw: object, defaults: readonly PropertyType[]): object {
  const value: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(raw)) setOwn(value, name, item)
  for (const { name, makeDefault } of defaults) if (value[name] === undefined) setOwn(value, name, makeDefault?.())
  return value
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
  // A number in JSON was read before; a text still has all of its digits.
  if ((typeof raw === 'string' || typeof raw === 'bigint') && isRoundedNumber(String(raw))) return rounded
  return Number.isFinite(number) ? number : new Unusable(NaN, 'number', 'is not a number')
}

const rounded = new Unusable(
  NaN,
  'precision',
  'has more digits than a number can hold: a property of type string holds them'
)

function toInteger(raw: unknown): unknown {
  const number = toNumber(raw)
  if (typeof number !== 'number' || Number.isSafeInteger(number)) return number
  // Which whole number was meant beyond them nobody knows: JSON was rounded when it was read.
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

function readAny(raw: unknown): unknown {
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

function compileListCoercion(items: ValueType | undefined, needs: CoercionNeeds): Coercion {
  const coerceItem = items === undefined ? undefined : compileItemCoercion(items, needs)
  return (raw) => {
    const list = typeof raw === 'string' ? parseList(raw, needs) : raw
    if (!Array.isArray(list)) throw new InvalidValue(`a list was expected, not ${describe(raw)}`)
    if (coerceItem === undefined) return list as unknown
    const converted = list.map(coerceItem)
    const bad = converted.find((item) => item instanceof Unusable)
    return bad instanceof Unusable ? new Unusable(list, bad.code, `has an item that ${bad.message}`) : converted
  }
}

const parseList = (text: string, { readsTexts = false }: CoercionNeeds): unknown =>
  readsTexts && text.trim() === 'null' ? [] : parseStructure(text)

const nullItems: Readonly<Partial<Record<ValueType['kind'], unknown>>> = {
  string: 'null',
  number: 0,
  integer: 0,
  boolean: false
}

function compileItemCoercion(items: ValueType, needs: CoercionNeeds): Coercion {
  const coerce = compileCoercion(items, needs)
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
    for (const key of declaredFirst(raw, properties)) {
      const value: unknown = Reflect.get(raw, key)
      const coerce = value === null || value === undefined ? undefined : properties.get(key)
      const item: unknown = coerce === undefined ? value : coerce(value)
      if (item instanceof Unusable) return new Unusable(raw, item.code, `has "${key}" that ${item.message}`)
      setOwn(converted, key, item)
    }
    return converted
  }
}
