import { coerceLoose, joinText, toNumber } from './coerce-loose.ts'
import { coerceStrict } from './coerce-strict.ts'
import type { Coercion, CoercionContext, CoercionTable } from './coercion.ts'

const falseTexts: ReadonlySet<string> = new Set(['', 'false', '0', 'null', 'undefined'])

/**
 * Version 2's rules for texts, where they differ: the empty text is a text, 0 or false, and a boolean that is absent is
 * false.
 * @see recording version2/coercion
 */
export const coerceLoose2: CoercionTable = {
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
export const coerceJson2: CoercionTable = {
  ...coerceStrict,
  string: () => (raw) => (raw === undefined ? raw : joinText(raw)),
  number: (_, context) => required(context, 'a number', numberOf),
  integer: (_, context) => required(context, 'a safe integer', integerOf),
  boolean: () => (raw) => (raw === undefined ? raw : Boolean(raw)),
  object: (_, context) => required(context, 'an object', structureOf),
  nested: (_, context) => required(context, 'an object', structureOf),
  model: (_, context) => required(context, 'an object', structureOf)
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
