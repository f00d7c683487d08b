import { type ColumnKind, type ColumnType, discoveredType, objectAdvice } from './column-types.ts'

/**
 * How values are compared: `native`, as their type does it; `text`, by their strings; `cast`, in the form that the type has for
 * properties of the kind. False: nothing equals them, and they have no order.
 */
export type Comparing = 'native' | 'text' | 'cast' | false

/** What works between a column of a type and a property of a kind. */
export interface Fit {
  /** Its values are converted to those of the property. */
  readonly read: boolean
  /** Values of the property are stored, as far as the type can hold them. */
  readonly written: boolean
  readonly compared: Comparing
  /** In ranges and orders. */
  readonly ordered: Comparing
  /** Patterns find its strings. */
  readonly matched: boolean
  /** What does not work, as a predicate of the column; absent if everything does. */
  readonly why?: string
  /** What to do about it. */
  readonly advice?: string
}

/** The kinds of columns whose values are converted to those of a property, besides its own. */
const sources: Readonly<Record<ColumnKind, readonly ColumnKind[]>> = {
  text: [],
  number: ['text'],
  decimal: [],
  boolean: ['number', 'text'],
  date: ['number', 'text'],
  binary: ['text'],
  point: ['json', 'text'],
  json: []
}

const names: Readonly<Record<ColumnKind, string>> = {
  text: 'strings',
  number: 'numbers',
  decimal: 'decimal numbers',
  boolean: 'booleans',
  date: 'dates',
  binary: 'bytes',
  point: 'points',
  json: 'objects or lists'
}

const known = new WeakMap<ColumnType, Map<ColumnKind, Fit>>()

/** What works between a column of this type and a property of this kind: computed from the type's characteristics. */
export function fitOf(type: ColumnType, kind: ColumnKind): Fit {
  const ofType = known.get(type) ?? new Map<ColumnKind, Fit>()
  known.set(type, ofType)
  const cached = ofType.get(kind)
  if (cached !== undefined) return cached
  const fit = fitOfValues(type, kind)
  ofType.set(kind, fit)
  return fit
}

const whole = { read: true, written: true, compared: 'native', ordered: 'native', matched: true } as const

const none = { read: false, written: false, compared: false, ordered: false, matched: false } as const

function fitOfValues(type: ColumnType, kind: ColumnKind): Fit {
  if (type.holdsObjects === true && kind === 'text') return { ...none, why: 'holds no strings', advice: objectAdvice }
  const fit = fitByKind(type, kind)
  const why = type.readOnly ?? type.items?.readOnly
  return why === undefined ? fit : { ...fit, written: false, why, advice: 'do not write it' }
}

function fitByKind(type: ColumnType, kind: ColumnKind): Fit {
  if (type.comparesAny === true) return whole
  if (kind === 'text') return textFit(type)
  if (kind === 'json') return jsonFit(type)
  if (kind === 'date' && type.datesAsText === true) return whole
  if (type.comparedAs?.[kind] !== undefined) {
    const cast = { ...whole, compared: 'cast', ordered: 'cast' } as const
    // A word of a list, or a string of some form, is never a number.
    const isForm = type.kind === 'text' && type.isText !== true
    return isForm ? { ...cast, written: false, why: `stores no ${names[kind]}`, advice: adviceOf(type) } : cast
  }
  if (!isSource(type, kind)) return { ...none, why: `holds no ${names[kind]}`, advice: adviceOf(type) }
  // Points have no order. Their coordinates are compared.
  if (kind === 'point') return { ...whole, ordered: false }
  if (type.kind === kind || (kind === 'decimal' && type.digits !== undefined)) return whole
  const why = `neither compares with ${names[kind]} nor stores them`
  return { ...whole, written: false, compared: false, ordered: false, why, advice: adviceOf(type) }
}

/** Strings are those of the values, whatever these are. */
function textFit(type: ColumnType): Fit {
  if (type.isText === true) return whole
  const compared = type.isOwnForm === undefined ? 'text' : 'native'
  return { ...whole, compared, ordered: type.ordersAsText === true ? 'native' : 'text' }
}

/** JSON and lists are tested item by item; other values become JSON first. */
function jsonFit({ kind, items, isText }: ColumnType): Fit {
  const isOwn = (kind === 'json' && items === undefined) || isText === true
  return isOwn ? whole : { ...whole, compared: 'cast', ordered: 'cast' }
}

function isSource({ kind: own, isText, digits, items }: ColumnType, kind: ColumnKind): boolean {
  if (items !== undefined) return false
  if (own === kind) return true
  if (kind === 'decimal') return digits !== undefined
  // The strings of other types, such as those of a time, are no texts.
  if (isText === true) return sources[kind].includes('text')
  return own !== undefined && own !== 'text' && sources[kind].includes(own)
}

function adviceOf(type: ColumnType): string {
  const found = discoveredType(type)
  return `declare the property as ${typeof found === 'string' ? `"${found}"` : `["${found[0]}"]`}`
}
