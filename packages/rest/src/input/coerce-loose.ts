import { checkStructure, defaultDataDepth } from '@modelwire/core/plugin'
import { readDate, type ValueType } from '@modelwire/core/connector'
import { coerceStrict, suitsObject } from './coerce-strict.ts'
import { type Coercion, type CoercionContext, type CoercionTable, readGeoPoint } from './coercion.ts'

const integer = /^-?(?:0|[1-9]\d*)$/

const decimal = /^-?\d*\.\d+$/

/**
 * LoopBack 3's loose rules for values that are strings, or that brackets made from strings. The empty string counts as
 * absent. The items of a list given as JSON are checked strictly.
 * @see LoopBack 3: strong-remoting, lib/types; pinned by recordings remoting/coerce-*
 */
export const coerceLoose: CoercionTable = {
  string: () => present(joinText),
  number: (_, { invalid }) => present((raw) => toNumber(raw) ?? fail(invalid('a number'))),
  integer: (_, { invalid }) => present((raw) => toInteger(raw) ?? fail(invalid('a safe integer'))),
  boolean: (_, { invalid }) => present((raw) => toBoolean(raw) ?? fail(invalid('a boolean'))),
  date: (_, { invalid, readsDatesInZone }) =>
    present((raw) => toDate(raw, readsDatesInZone) ?? fail(invalid('a date'))),
  geopoint: (type, context) => geoPointOf(type, context),
  object: (_, context) => objectOf(context),
  nested: (_, context) => objectOf(context),
  model: (_, context) => objectOf(context),
  array: (type, context) => arrayOf(type, context),
  any: (_, context) => anyOf(context),
  text: (_, context) => anyOf(context),
  dateString: (_, context) => anyOf(context),
  buffer: (_, context) => anyOf(context)
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false]
])

/** `coerce` for values that are there: absent ones and the empty text are undefined. */
function present(coerce: Coercion): Coercion {
  return (raw) => (raw === undefined || raw === '' ? undefined : coerce(raw))
}

function fail(error: Error): never {
  throw error
}

/** The string for a value that should have been one: lists are joined by commas. LB3: remoting/coerce-string. */
export function joinText(raw: unknown): string {
  if (Array.isArray(raw)) return raw.map(joinText).join(',')
  return typeof raw === 'object' && raw !== null ? '[object Object]' : String(raw)
}

/** A list of one item counts as that item: `?v[]=1`. */
function onlyItem(raw: unknown): unknown {
  return Array.isArray(raw) && raw.length === 1 ? raw[0] : raw
}

/** Number(), for strings only; undefined if the string is not a number. */
export function toNumber(raw: unknown): number | undefined {
  const item = onlyItem(raw)
  const number = typeof item === 'string' ? Number(item) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

function toInteger(raw: unknown): number | undefined {
  const number = toNumber(raw)
  return Number.isSafeInteger(number) ? number : undefined
}

function toBoolean(raw: unknown): boolean | undefined {
  return typeof raw === 'string' ? booleans.get(raw.toLowerCase()) : undefined
}

/** Whole numbers are milliseconds since 1970. */
function toDate(raw: unknown, local: boolean | undefined): Date | undefined {
  const item = onlyItem(raw)
  if (typeof item !== 'string') return undefined
  const date = /^-?\d+$/.test(item) ? new Date(Number(item)) : readDate(item, local)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function geoPointOf(type: ValueType, context: CoercionContext): Coercion {
  const strict = coerceStrict.geopoint(type, context)
  return present((raw) => {
    const structure = typeof raw === 'string' ? parseStructure(raw) : undefined
    return strict(structure ?? readGeoPoint(raw, true) ?? null)
  })
}

function objectOf(context: CoercionContext): Coercion {
  const { invalid, allowArray = false, refuseNames } = context
  return present((raw) => {
    if (raw === 'null') return null
    const value = typeof raw === 'string' ? parseStructure(raw) : raw
    if (typeof value !== 'object' || value === null || !suitsObject(value, context)) {
      throw invalid(allowArray ? 'an object or a list of objects' : 'an object')
    }
    return value === raw ? adoptBrackets(value, refuseNames) : adoptParsed(value, refuseNames)
  })
}

function anyOf({ refuseNames }: CoercionContext): Coercion {
  return present((raw) => {
    const value = typeof raw === 'string' ? guessValue(raw) : raw
    if (typeof value !== 'object' || value === null) return value
    return value === raw ? adoptBrackets(value, refuseNames) : adoptParsed(value, refuseNames)
  })
}

function arrayOf(type: ValueType, context: CoercionContext): Coercion {
  const items: ValueType = (type.kind === 'array' ? type.items : undefined) ?? { kind: 'any' }
  const coerceItem = coerceLoose[items.kind](items, context)
  const strict = coerceStrict.array({ kind: 'array', items }, context)
  const split = splitterOf(context.delimiters)
  return present((raw) => {
    if (raw === 'null') return null
    if (Array.isArray(raw)) return raw.map((item) => coerceItem(item))
    const structure = typeof raw === 'string' ? parseStructure(raw) : undefined
    if (Array.isArray(structure)) return strict(adoptParsed(structure, context.refuseNames))
    if (typeof raw === 'string' && looksLikeList(raw)) throw context.invalid('a list in JSON')
    return (typeof raw === 'string' ? split(raw) : [raw]).map((item) => coerceItem(item))
  })
}

/** LB3: a text in brackets was meant as JSON. strong-remoting, lib/looks-like-json.js */
function looksLikeList(text: string): boolean {
  return text.startsWith('[') && text.endsWith(']')
}

function splitterOf(delimiters: readonly (string | RegExp)[] = []): (text: string) => string[] {
  if (delimiters.length === 0) return (text) => [text]
  const sources = delimiters.map((delimiter) =>
    typeof delimiter === 'string' ? escapePattern(delimiter) : delimiter.source
  )
  const pattern = new RegExp(sources.join('|'))
  return (text) => text.split(pattern)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/**
 * `value`, which came out of JSON text, once its texts and depth are checked, and its names unless `refuseNames` is false.
 * @throws {MalformedText} a key or text is not well-formed Unicode
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} more than 32 levels
 */
function adoptParsed<T extends object>(value: T, refuseNames = true): T {
  checkStructure(value, { names: refuseNames })
  return value
}

/**
 * `value`, which brackets made, as ordinary objects and lists, so that code may call `value.hasOwnProperty`. Brackets
 * bound the depth themselves, and never make a key `__proto__`.
 * @throws {NameRefused} unless `refuseNames` is false: a key belongs to JavaScript's object model
 */
function adoptBrackets(value: object, refuseNames = true): object {
  if (refuseNames) checkStructure(value, { depth: defaultDataDepth + 1 })
  return withPrototypes(value)
}

function withPrototypes<T>(value: T): T

function withPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => withPrototypes(item))
  if (Object.getPrototypeOf(value) !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPrototypes(member)]))
}

/**
 * What a text most likely stands for: `true`, `false`, `null`, a number, a JSON object or list; otherwise the text
 * itself. Integers with leading zeros, exponents and numbers beyond the safe range stay texts.
 * @see LoopBack 3: strong-remoting, lib/types/any.js; pinned by recording remoting/coerce-any
 */
function guessValue(text: string): unknown {
  const first = text.charCodeAt(0)
  // Numbers start with -, . or a digit.
  if (first === 45 || first === 46 || (first >= 48 && first <= 57)) return guessNumber(text)
  return guessWord(text) ?? parseStructure(text) ?? (text === 'null' ? null : text)
}

function guessNumber(text: string): number | string {
  if (!integer.test(text) && !decimal.test(text)) return text
  const number = Number(text)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

function guessWord(text: string): boolean | undefined {
  if (text.length > 5) return undefined
  const word = text.toLowerCase()
  if (word === 'true') return true
  return word === 'false' ? false : undefined
}

/** The object or list of a JSON text that starts with `{` or `[` exactly; undefined for every other text. */
function parseStructure(text: string): object | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  try {
    // JSON that starts so is an object or a list.
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
