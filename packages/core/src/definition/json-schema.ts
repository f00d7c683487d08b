/** A schema by its keywords: TypeBox of any version writes the same ones, so that no kinds of its own have to be known. */
export type JsonSchema = Readonly<Record<string, unknown>>

const hasType =
  (...types: readonly string[]) =>
  ({ type }: JsonSchema): boolean =>
    typeof type === 'string' && types.includes(type)

/** A text, or one of a regular expression. */
export const isStringSchema = hasType('string', 'RegExp')
/** A whole number. */
export const isIntegerSchema = hasType('integer')
/** A number. */
export const isNumberSchema = hasType('number')
/** True or false. */
export const isBooleanSchema = hasType('boolean')
/** A date: TypeBox 0.34's own type. */
export const isDateSchema = hasType('Date')
/** Bytes: TypeBox 0.34's own type. */
export const isBytesSchema = hasType('Uint8Array')
/** Null alone. */
const isNullSchema = hasType('null')
const isObject = hasType('object')
const isList = hasType('array')

/** A list whose places have schemas of their own. */
export const isTupleSchema = (schema: JsonSchema): boolean =>
  isList(schema) && (Array.isArray(schema['items']) || schema['prefixItems'] !== undefined)
/** A list whose items have one schema. */
export const isArraySchema = (schema: JsonSchema): boolean => isList(schema) && !isTupleSchema(schema)

/** An object with any names. */
export const isRecordSchema = (schema: JsonSchema): boolean => isObject(schema) && schema['properties'] === undefined
/** An object with named properties. */
export const isObjectSchema = (schema: JsonSchema): boolean => isObject(schema) && schema['properties'] !== undefined

const partsOf = ({ anyOf, oneOf }: JsonSchema): unknown => anyOf ?? oneOf
/** One of several schemas. */
export const isUnionSchema = (schema: JsonSchema): boolean => Array.isArray(partsOf(schema))
/** All of several schemas. */
export const isIntersectSchema = ({ allOf }: JsonSchema): boolean => Array.isArray(allOf)

const keywordsOfMeaning = ['type', '$ref', 'not', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'] as const

/** True for a schema without constraints. */
export const isUnknownSchema = (schema: JsonSchema): boolean =>
  keywordsOfMeaning.every((keyword) => schema[keyword] === undefined)

/** The schemas of a union; none where it is something else. */
export function unionParts(schema: JsonSchema): readonly JsonSchema[] {
  const parts = partsOf(schema)
  // Parts of a schema are schemas.
  return Array.isArray(parts) ? (parts as JsonSchema[]) : []
}

/** A schema without null: the other part of a union of two, or the other one of two types. The same where it has no null. */
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
