import { isPlainObject } from '@modelwire/server'
import { Decimal128, Long } from 'mongodb'
import { objectIdOf, toObjectId, ofThisDriver } from '../values/object-ids.ts'
import type { Place } from './place.ts'

/** Kinds of values that are stored in one form. */
const typed: ReadonlySet<string | undefined> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'dateString',
  'buffer'
])

const isoDate = /^[+-]?\d{4,6}-\d\d/

/**
 * The stored values that equal an operand; none if no value does. Null is not expected. Without a declared type, values are
 * compared as loosely as elsewhere: a number equals its string.
 */
export function equalForms(place: Place, operand: unknown): readonly unknown[] {
  const forms = ownForms(place, operand)
  if (place.decimal || (typed.has(place.type?.kind) && !isOfOtherKind(place, operand))) return forms
  return [...forms, ...looseForms(operand)]
}

/** What joins records may be a text in one of them and a number in the other: conditions of clients are converted before. */
function isOfOtherKind({ type }: Place, operand: unknown): boolean {
  if (type?.kind === 'string') return typeof operand === 'number'
  return (type?.kind === 'number' || type?.kind === 'integer') && typeof operand === 'string'
}

/** The stored values with which an operand is compared for order, one per kind. */
export function orderedForms(place: Place, operand: unknown): readonly unknown[] {
  const forms = ownForms(place, typeof operand === 'string' ? operand.toWellFormed() : operand)
  if (place.decimal || typed.has(place.type?.kind) || typeof operand !== 'string') return forms
  const number = numberIn(operand)
  const date = dateIn(operand)
  return [...forms, ...(number === undefined ? [] : [number]), ...(date === undefined ? [] : [date])]
}

function ownForms(place: Place, operand: unknown): readonly unknown[] {
  if (place.decimal) return decimalForms(operand)
  if (typeof operand === 'string') return textForms(place, operand)
  if (typeof operand === 'number') return Number.isNaN(operand) ? [] : [operand]
  if (typeof operand === 'bigint') return [Long.fromBigInt(operand)]
  if (typeof operand !== 'object' || operand === null) return operand === undefined ? [] : [operand]
  if (operand instanceof Date) return Number.isNaN(operand.getTime()) ? [] : [operand]
  if (operand instanceof Uint8Array) return [operand]
  const id = toObjectId(operand)
  if (id !== undefined) return place.alsoTexts ? [id, id.toHexString()] : [id]
  // Objects and lists are equal to themselves alone.
  return isPlainObject(operand) || Array.isArray(operand) || !('_bsontype' in operand) ? [] : [ofThisDriver(operand)]
}

function textForms({ ids, alsoTexts, type }: Place, text: string): readonly unknown[] {
  if (!text.isWellFormed()) return []
  const id = type === undefined || canHoldIds(type.kind) ? objectIdOf(text, ids) : undefined
  if (id === undefined) return [text]
  return alsoTexts ? [id, text] : [id]
}

const canHoldIds = (kind: string): boolean => kind === 'string' || !typed.has(kind)

function decimalForms(operand: unknown): readonly unknown[] {
  try {
    return [Decimal128.fromString(String(operand))]
  } catch {
    // No stored number is equal to what is none.
    return []
  }
}

function looseForms(operand: unknown): readonly unknown[] {
  if (typeof operand === 'number')
    return [String(operand), ...(operand === 1 ? [true] : []), ...(operand === 0 ? [false] : [])]
  if (typeof operand === 'boolean') return [Number(operand), String(Number(operand))]
  if (operand instanceof Date) return [operand.toISOString(), operand.getTime()]
  if (typeof operand !== 'string') return []
  const [number, date] = [numberIn(operand), dateIn(operand)]
  return [
    ...(number === undefined ? [] : [number]),
    ...(number === 1 ? [true] : []),
    ...(number === 0 ? [false] : []),
    ...(date === undefined ? [] : [date])
  ]
}

function numberIn(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? undefined : number
}

function dateIn(text: string): Date | undefined {
  const date = new Date(isoDate.test(text) ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
