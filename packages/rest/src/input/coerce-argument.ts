import { InvalidArgument } from '@modelwire/core'
import type { ValueType } from '@modelwire/core/plugin'
import type { BodyFormat } from './body-parsers.ts'
import { coerceLoose } from './coerce-loose.ts'
import { coerceStrict } from './coerce-strict.ts'
import { coerceJson2, coerceLoose2 } from './coerce-version2.ts'
import type { Coercion, CoercionContext, CoercionOptions, CoercionTable } from './coercion.ts'

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
 * The converter of an argument that is the whole body. JSON is converted strictly, everything else loosely; no body
 * at all counts as an empty form, so that an object is `{}`.
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
