import { InvalidArgument } from '@modelwire/core'
import type { ValueType } from '@modelwire/core/connector'
import type { BodyFormat } from './body-parsers.ts'
import { coerceLoose, joinText, toNumber } from './coerce-loose.ts'
import { coerceStrict } from './coerce-strict.ts'
import type { Coercion, CoercionContext, CoercionOptions, CoercionTable } from './coercion.ts'

const falseTexts: ReadonlySet<string> = new Set(['', 'false', '0', 'null', 'undefined'])

/**
 * Version 2's rules for texts, where they differ: the empty text is a text, 0 or false, and a boolean that is absent is
 * false.
 * @see recording version2/coercion
 */
const coerceLoose2: CoercionTable = {
  ...coerceLoose,
  string: () => (raw) => (raw === undefined ? raw : joinText(raw)),
  number: (_, context) => required(context, 'a number', toNumber),
  boolean: () => (raw) => raw !== undefined && !(typeof raw === 'string' && falseTexts.has(raw)),
  object: (type, context) => coerceLoose.object(type, { ...context, allowArray: true, anyItems: true }),
  model: (type, context) => coerceLoose.model(type, { ...context, allowArray: true, anyItems: true })
}

/**
 * Version 2's rules for JSON: scalars are converted as JavaScript does, objects may be lists, and null is not an
 * object.
 * @see recordings version2/coercion and version2/upsert-array
 */
const coerceJson2: CoercionTable = {
  ...coerceStrict,
  string: () => (raw) => (raw === undefined ? raw : joinText(raw)),
  number: (_, context) => required(context, 'a number', numberOf),
  integer: (_, context) => required(context, 'a safe integer', integerOf),
  boolean: () => (raw) => (raw === undefined ? raw : Boolean(raw)),
  object: (_, context) => required(context, 'an object', structureOf),
  nested: (_, context) => required(context, 'an object', structureOf),
  model: (_, context) => required(context, 'an object', structureOf)
}

/** The converter of an argument of `type`. Everything is looked up here, nothing per request. */
export function compileCoercion(type: ValueType, options: CoercionOptions): Coercion {
  const invalid = (what: string): Error =>
    new InvalidArgument(`The argument ${JSON.stringify(options.name)} must be ${what}`)
  const context: CoercionContext = { ...options, invalid }
  return tableFor(options)[type.kind](type, context)
}

/** Converts a body that was written as `format`. */
export type BodyCoercion = (body: unknown, format: BodyFormat) => unknown

/**
 * The converter of an argument that is the whole body. JSON is converted strictly, everything else loosely; a missing body
 * counts as an empty form, so that an object is `{}`.
 */
export function compileBodyCoercion(type: ValueType, options: Omit<CoercionOptions, 'source'>): BodyCoercion {
  const strict = compileCoercion(type, { ...options, source: 'json' })
  const loose = compileCoercion(type, { ...options, source: 'form' })
  // LB3: pinned by the steps of remoting/coerce-* without a body.
  return (body, format) => (format === 'json' ? strict(body) : loose(body ?? {}))
}

function tableFor({ source, readsLoosely }: CoercionOptions): CoercionTable {
  if (source === 'json' || source === 'computed') return readsLoosely ? coerceJson2 : coerceStrict
  return readsLoosely ? coerceLoose2 : coerceLoose
}

function required({ invalid }: CoercionContext, what: string, coerce: (raw: unknown) => unknown): Coercion {
  return (raw) => {
    if (raw === undefined) return raw
    const value = coerce(raw)
    if (value === undefined) throw invalid(what)
    return value
  }
}

function numberOf(raw: unknown): number | undefined {
  const number = typeof raw === 'object' && raw !== null ? Number.NaN : Number(raw)
  return Number.isNaN(number) ? undefined : number
}

function integerOf(raw: unknown): number | undefined {
  const number = numberOf(raw)
  return Number.isSafeInteger(number) ? number : undefined
}

function structureOf(raw: unknown): object | undefined {
  return typeof raw === 'object' && raw !== null ? raw : undefined
}
