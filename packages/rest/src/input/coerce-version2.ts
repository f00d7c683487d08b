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
  number: (_, { invalid }) => known((raw) => toNumber(raw), () => invalid('a number')),
  boolean: () => (raw) => raw !== undefined && !(typeof raw === 'string' && falseTexts.has(raw)),
  object: (type, context) => coerceLoose.object(type, { ...context, allowArray: true }),
  model: (type, context) => coerceLoose.model(type, { ...context, allowArray: true })
}

/**
 * Version 2's rules for JSON: scalars are converted as JavaScript does, objects may be lists, and null is no object.
 * @see recordings version2/coercion and version2/upsert-array
 */
export const coerceJson2: CoercionTable = {
  ...coerceStrict,
  string: () => (raw) => (raw === undefined ? raw : joinText(raw)),
  number: (_, { invalid }) => known(numberOf, () => invalid('a number')),
  integer: (_, { invalid }) => known((raw) => (Number.isSafeInteger(numberOf(raw)) ? numberOf(raw) : undefined), () => invalid('a safe integer')),
  boolean: () => (raw) => (raw === undefined ? raw : Boolean(raw)),
  object: (_, context) => objectOf(context),
  nested: (_, context) => objectOf(context),
  model: (_, context) => objectOf(context)
}

function known(coerce: (raw: unknown) => unknown, error: () => Error): Coercion {
  return (raw) => {
    if (raw === undefined) return raw
    const value = coerce(raw)
    if (value === undefined) throw error()
    return value
  }
}

function numberOf(raw: unknown): number | undefined {
  const number = typeof raw === 'object' && raw !== null ? Number.NaN : Number(raw)
  return Number.isNaN(number) ? undefined : number
}

function objectOf({ invalid }: CoercionContext): Coercion {
  return known((raw) => (typeof raw === 'object' && raw !== null ? raw : undefined), () => invalid('an object'))
}
