import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import type { ValueType } from '../types/property-type.ts'
import { isRoundedNumber } from '../values/exact-number.ts'
import { readDate } from '../values/read-date.ts'
import type { TestedPath } from './operator.ts'
import { isPlainObject } from '@modelwire/server'

const deepest = 20

/** Represents an operand that no stored value equals, such as "x" for a number. */
export const unmatchable: unique symbol = Symbol('unmatchable')

function toNumber(raw: unknown): unknown {
  // Other objects have no number, and one with an own `toString` would not even become a text.
  const number = typeof raw !== 'object' || raw instanceof Date ? Number(raw) : NaN
  return Number.isNaN(number) ? unmatchable : number
}

function toDate(raw: unknown, tested: TestedPath): unknown {
  const date =
    typeof raw === 'string'
      ? readDate(raw, tested.rules.readsDatesInZone)
      : new Date(typeof raw === 'number' || raw instanceof Date ? raw : NaN)
  if (Number.isNaN(date.getTime())) throw new InvalidFilter(`${tested.key} must be a date, not ${describe(raw)}`)
  return date
}

function toText(raw: unknown): unknown {
  if (raw instanceof Date) return raw.toISOString()
  return typeof raw === 'object' && raw !== null ? raw : String(raw)
}

type ToOperand = (raw: unknown, tested: TestedPath) => unknown
const asIs: ToOperand = (raw) => raw

const conversions: Readonly<Record<ValueType['kind'], ToOperand>> = {
  string: toText,
  text: asIs,
  dateString: toText,
  number: toNumber,
  integer: toNumber,
  boolean: (raw) => (raw === 'false' || raw === '0' ? false : Boolean(raw)),
  date: toDate,
  buffer: asIs,
  geopoint: asIs,
  object: asIs,
  any: asIs,
  array: asIs,
  nested: asIs,
  model: asIs
}

/**
 * Converts an operand of a filter to the type of the property it is compared with. More lenient than the conversion of
 * stored values: LoopBack reads `price=""` as 0 and any string as true.
 * @throws {InvalidFilter} a date is not a date
 * @see recordings filter/equality and filter/bracket
 */
export function toOperand(tested: TestedPath, raw: unknown): unknown {
  if (raw === null || raw === undefined) return null
  const type = tested.type?.kind === 'array' ? tested.type.items : tested.type
  if (type === undefined) return raw
  // LB3: a list in place of a value is compared as its text, pinned by filter/nested: one item counts, several never match
  if (Array.isArray(raw))
    return raw.length === 1 && tested.type?.kind !== 'date' ? toOperand(tested, raw[0]) : listOperand(raw, tested)
  return conversions[type.kind](raw, tested)
}

function listOperand(raw: readonly unknown[], tested: TestedPath): unknown {
  if (tested.type?.kind === 'date') throw new InvalidFilter(`${tested.key} must be a date, not ${describe(raw)}`)
  return unmatchable
}

/**
 * Like `toOperand`, for equality: a numeric string with more digits than a number can hold equals no number. Rounded, it
 * would find another record.
 */
export function toEqualOperand(tested: TestedPath, raw: unknown): unknown {
  const kind = tested.type?.kind === 'array' ? tested.type.items?.kind : tested.type?.kind
  const isNumber = kind === 'number' || kind === 'integer'
  return isNumber && typeof raw === 'string' && isRoundedNumber(raw) ? unmatchable : toOperand(tested, raw)
}

/** A list, or an object whose keys count from 0, as produced by brackets; undefined for anything else. */
export function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[] // its items are looked at later
  if (!isPlainObject(value)) return undefined
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}

/**
 * The string form for `like`: the result of JavaScript's `String`, but without calling code hidden in data, such as an own
 * property named `toString`.
 * @see recording filter/patterns, where `like: "null"` finds null
 */
export function textOf(value: unknown): string {
  return textAt(value, 0)
}

function textAt(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return Date.prototype.toString.call(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (Array.isArray(value)) return textOfList(value, depth)
  if (typeof value === 'object' && value !== null) return '[object Object]'
  return String(value)
}

function textOfList(list: readonly unknown[], depth: number): string {
  if (depth > deepest) return ''
  return list.map((item) => (item === null || item === undefined ? '' : textAt(item, depth + 1))).join(',')
}
