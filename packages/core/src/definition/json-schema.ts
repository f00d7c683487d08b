/** A schema by its keywords: all versions of TypeBox write the same ones, so that its own kinds need not be known. */
export type JsonSchema = Readonly<Record<string, unknown>>

const hasType =
  (...types: readonly string[]) =>
  ({ type }: JsonSchema): boolean =>
    typeof type === 'string' && types.includes(type)

/** True for a string, or one with a pattern. */
export const isStringSchema = hasType('string', 'RegExp')
/** True for an integer. */
export const isIntegerSchema = hasType('integer')
/** True for a number. */
export const isNumberSchema = hasType('number')
/** True for a boolean. */
export const isBooleanSchema = hasType('boolean')
/** True for a date: TypeBox 0.34's own type. */
export const isDateSchema = hasType('Date')
/** True for bytes: TypeBox 0.34's own type. */
export const isBytesSchema = hasType('Uint8Array')
/** Null alone. */
const isNullSchema = hasType('null')
const isObject = hasType('object')
const isList = hasType('array')

/** True for a list with a schema per position. */
export const isTupleSchema = (schema: JsonSchema): boolean =>
  isList(schema) && (Array.isArray(schema['items']) || schema['prefixItems'] !== undefined)
/** True for a list with one schema for all items. */
export const isArraySchema = (schema: JsonSchema): boolean => isList(schema) && !isTupleSchema(schema)

/** True for an object with arbitrary names. */
export const isRecordSchema = (schema: JsonSchema): boolean => isObject(schema) && schema['properties'] === undefined
/** True for an object with named properties. */
export const isObjectSchema = (schema: JsonSchema): boolean => isObject(schema) && schema['properties'] !== undefined

const partsOf = ({ anyOf, oneOf }: JsonSchema): unknown => anyOf ?? oneOf
/** True for one of several schemas. */
export const isUnionSchema = (schema: JsonSchema): boolean => Array.isArray(partsOf(schema))
/** True for all of several schemas. */
export const isIntersectSchema = ({ allOf }: JsonSchema): boolean => Array.isArray(allOf)

const keywordsOfMeaning = ['type', '$ref', 'not', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'] as const

/** True for a schema without constraints. */
export const isUnknownSchema = (schema: JsonSchema): boolean =>
  keywordsOfMeaning.every((keyword) => schema[keyword] === undefined)

/** The schemas of a union; empty for other schemas. */
export function unionParts(schema: JsonSchema): readonly JsonSchema[] {
  const parts = partsOf(schema)
  // Parts of a schema are schemas.
  return Array.isArray(parts) ? (parts as JsonSchema[]) : []
}

/**
 * A schema without null: the other part of a union of two, or the other one of two types. Unchanged if it does not allow
 * null.
 */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (Array.isArray(type) && type.includes('null')) {
    const others = type.filter((one) => one !== 'null')
    return { ...schema, type: others.length === 1 ? others[0] : others }
  }
  const parts = unionParts(schema)
  const others = parts.filter((part) => !isNullSchema(part))
  const [only, ...more] = others
  if (only === undefined || others.length === parts.length) return schema
  return more.length === 0 ? only : { ...schema, anyOf: others }
}

/** The values that a schema lists: a literal, an enumeration, or a union of literals. */
export function literalValues(schema: JsonSchema): readonly unknown[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  const listed: unknown = schema['enum']
  if (Array.isArray(listed)) return listed.filter((value: unknown) => value !== null) as unknown[] // a part of the list
  const parts = unionParts(schema).filter((part) => !isNullSchema(part))
  const values = parts.map((part) => part['const'])
  return parts.length === 0 || values.includes(undefined) ? undefined : values
}
