import { readDate, type ValueType } from '@modelwire/core/connector'
import { type Coercion, type CoercionContext, type CoercionTable, readGeoPoint } from './coercion.ts'

/**
 * Rules for typed values: parts of JSON bodies, and results of functions. Only dates and geo points are converted. Kinds
 * unknown to LoopBack's remoting accept everything.
 * @see LoopBack 3: strong-remoting, lib/types
 */
export const coerceStrict: CoercionTable = {
  string: (_, context) => only(context, 'a string', (raw) => typeof raw === 'string'),
  number: (_, context) => only(context, 'a number', (raw) => typeof raw === 'number' && !Number.isNaN(raw)),
  integer: (_, context) => only(context, 'a safe integer', Number.isSafeInteger),
  boolean: (_, context) => only(context, 'a boolean', (raw) => typeof raw === 'boolean'),
  date: (_, context) => (raw) => (raw === undefined ? raw : toDate(raw, context)),
  geopoint: (_, context) => (raw) => (raw === undefined ? raw : toGeoPoint(raw, context)),
  object: (_, context) => objectOf(context),
  nested: (_, context) => objectOf(context),
  model: (_, context) => objectOf(context),
  array: (type, context) => arrayOf(type, context),
  any: () => keep,
  text: () => keep,
  dateString: () => keep,
  buffer: () => keep
}

function keep(raw: unknown): unknown {
  return raw
}

function only({ invalid }: CoercionContext, what: string, accepts: (raw: unknown) => boolean): Coercion {
  return (raw) => {
    if (raw === undefined || accepts(raw)) return raw
    throw invalid(what)
  }
}

function toDate(raw: unknown, { invalid, readsDatesInZone }: CoercionContext): Date {
  const moment = typeof raw === 'string' ? readDate(raw, readsDatesInZone) : raw
  const date = moment instanceof Date ? moment : new Date(typeof moment === 'number' ? moment : Number.NaN)
  if (Number.isNaN(date.getTime())) throw invalid('a date')
  return date
}

function toGeoPoint(raw: unknown, { invalid, makeGeoPoint }: CoercionContext): unknown {
  const parts = readGeoPoint(raw, false)
  if (parts === undefined) throw invalid('a geo point')
  return makeGeoPoint === undefined ? parts : makeGeoPoint(parts)
}

function objectOf(context: CoercionContext): Coercion {
  const { allowArray = false } = context
  return only(context, allowArray ? 'an object or a list of objects' : 'an object', (raw) => suitsObject(raw, context))
}

/** True for an object, and if allowed for a list of them. LB3: null counts as an object, also in lists. */
export function suitsObject(raw: unknown, { allowArray = false, anyItems = false }: CoercionContext): boolean {
  return isObject(raw) || (allowArray && Array.isArray(raw) && (anyItems || raw.every(isObject)))
}

const isObject = (raw: unknown): boolean =>
  raw === null || (typeof raw === 'object' && !(raw instanceof Date) && !Array.isArray(raw))

function arrayOf(type: ValueType, context: CoercionContext): Coercion {
  const items = type.kind === 'array' ? type.items : undefined
  const coerceItem = items === undefined ? keep : coerceStrict[items.kind](items, context)
  return (raw) => {
    if (raw === undefined || raw === null) return raw
    if (!Array.isArray(raw)) throw context.invalid('an array')
    return raw.map((item) => coerceItem(item))
  }
}
