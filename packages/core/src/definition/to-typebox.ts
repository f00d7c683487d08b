import { Kind, type TSchema, Type } from '@sinclair/typebox'
import { isPlainObject } from '@modelwire/server'
import * as json from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'

type Convert = (schema: JsonSchema) => TSchema

// Schemas by their names.
const convertEach = (schemas: unknown): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries({ ...(schemas as Record<string, JsonSchema>) }).map(([name, part]) => [name, toTypeBox(part)])
  )

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

// Lists of keywords hold schemas.
const convertAll = (schemas: unknown): TSchema[] =>
  (Array.isArray(schemas) ? schemas : []).map((part) => toTypeBox(part as JsonSchema))

function toObject({ properties, required, additionalProperties, ...rest }: JsonSchema): TSchema {
  const demanded = new Set(Array.isArray(required) ? required : [])
  const parts = Object.entries(convertEach(properties)).map(
    ([name, part]) => [name, demanded.has(name) ? part : Type.Optional(part)] as const
  )
  const more = additionalPropertiesOf(additionalProperties)
  return Type.Object(Object.fromEntries(parts), {
    ...rest,
    ...(more === undefined ? {} : { additionalProperties: more })
  })
}

function additionalPropertiesOf(written: unknown): boolean | TSchema | undefined {
  if (typeof written === 'boolean') return written
  return isPlainObject(written) ? toTypeBox(written) : undefined
}

const toRecord: Convert = ({ patternProperties, additionalProperties, ...rest }) => {
  const [value] = Object.values(convertEach(patternProperties))
  const more = additionalPropertiesOf(additionalProperties)
  return Type.Record(Type.String(), value ?? (typeof more === 'object' ? more : Type.Unknown()), rest)
}

const scalar: Readonly<Record<string, Convert>> = {
  string: (schema) => Type.String(schema),
  integer: (schema) => Type.Integer(schema),
  number: (schema) => Type.Number(schema),
  boolean: (schema) => Type.Boolean(schema),
  null: (schema) => Type.Null(schema)
}

/** Kinds of schemas, tried in this order. */
const kinds: readonly (readonly [(schema: JsonSchema) => boolean, Convert])[] = [
  [(schema) => Kind in schema, (schema) => schema as TSchema], // it has TypeBox's mark
  [({ const: value }) => value !== undefined, literalSchema],
  [(schema) => Array.isArray(schema['enum']), ({ enum: values }) => Type.Union(listOf(values).map(oneOf))],
  [
    ({ type }) => Array.isArray(type),
    ({ type, ...rest }) => Type.Union(listOf(type).map((one) => toTypeBox({ ...rest, type: one })))
  ],
  [json.isUnionSchema, (schema) => Type.Union(json.unionParts(schema).map(toTypeBox))],
  [json.isIntersectSchema, ({ allOf }) => Type.Intersect(convertAll(allOf))],
  [json.isTupleSchema, ({ items, prefixItems }) => Type.Tuple(convertAll(prefixItems ?? items))],
  [
    json.isArraySchema,
    ({ items, ...rest }) => Type.Array(items === undefined ? Type.Unknown() : toTypeBox(items as JsonSchema), rest)
  ], // as above
  [json.isRecordSchema, toRecord],
  [json.isObjectSchema, toObject]
]

const oneOf = (value: unknown): TSchema => (value === null ? Type.Null() : literalSchema({ const: value }))

function literalSchema({ const: value }: JsonSchema): TSchema {
  const isLiteral = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isLiteral ? Type.Literal(value) : Type.Unknown()
}

/** Converts a schema of TypeBox 1, or plain JSON Schema, for this version of TypeBox. Unknown keywords allow anything. */
export function toTypeBox(schema: JsonSchema): TSchema {
  const convert = kinds.find(([matches]) => matches(schema))?.[1] ?? scalar[String(schema['type'])]
  return convert?.(schema) ?? Type.Unknown()
}
