import { type Argument, type Operation } from '@modelwire/core/plugin'
import type { ModelType, PropertyType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { successStatus } from './output/success-status.ts'

/** A schema as an object of keywords. */
type PlainSchema = Readonly<Record<string, unknown>>

/** Types that TypeBox has besides those of JSON Schema, as their values are written. */
const writtenTypes: ReadonlyMap<unknown, PlainSchema> = new Map<unknown, PlainSchema>([
  ['Date', { type: 'string', format: 'date-time' }],
  ['Uint8Array', { type: 'string', contentEncoding: 'base64' }],
  ['RegExp', { type: 'string' }],
  ['bigint', { type: 'integer' }]
])

const ownKeywords = /^(source|flags|minimumTimestamp|maximumTimestamp|minByteLength|maxByteLength|modelwireType)$/

const inJsonWords = (words: PlainSchema): PlainSchema =>
  Object.fromEntries(Object.entries(words).map(([name, word]) => [name, inJsonTypes(word)]))

function writtenType(type: unknown, written: PlainSchema, words: PlainSchema): PlainSchema {
  const kept = Object.entries(words).filter(([name]) => !ownKeywords.test(name))
  const pattern = type === 'RegExp' ? { pattern: words['source'] } : {}
  return { ...inJsonWords(Object.fromEntries(kept)), ...written, ...pattern }
}

/** Versions of JSON Schema write tuples differently; all of them know items that are one of several. */
const withoutTuple = ({ additionalItems: _additional, ...words }: PlainSchema): PlainSchema =>
  Array.isArray(words['items']) ? { ...words, items: { anyOf: words['items'] } } : words

/** Types that are none of JSON Schema in the words of JSON Schema, at any depth. */
function inJsonTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inJsonTypes)
  if (!isPlainObject(value)) return value
  const { type, ...words } = value
  const written = writtenTypes.get(type)
  if (written !== undefined) return writtenType(type, written, words)
  return { ...(type === undefined ? {} : { type: inJsonTypes(type) }), ...inJsonWords(withoutTuple(words)) }
}

const withoutBigInts = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** A TypeBox schema in plain JSON Schema: dates and bytes as written, tuples as lists. */
export function plainSchema(schema: object): Record<string, unknown> {
  // A schema is JSON; what it holds besides is of no meaning to others.
  return inJsonTypes(JSON.parse(JSON.stringify(schema, withoutBigInts))) as Record<string, unknown>
}

type AnyType = Operation['returns'][number]['type']

const scalars: Readonly<Record<string, () => TSchema>> = {
  string: () => Type.String(),
  text: () => Type.Unknown(),
  number: () => Type.Number(),
  integer: () => Type.Integer(),
  boolean: () => Type.Boolean(),
  date: () => Type.String({ format: 'date-time' }),
  dateString: () => Type.String(),
  buffer: () => Type.Unknown({ description: 'bytes as { type: "Buffer", data: [...] }' }),
  geopoint: () =>
    Type.Object({ lat: Type.Number({ minimum: -90, maximum: 90 }), lng: Type.Number({ minimum: -180, maximum: 180 }) }),
  object: () => Type.Unknown(),
  any: () => Type.Unknown(),
  file: () => Type.String({ contentEncoding: 'binary' }),
  stream: () => Type.String({ description: 'objects as server-sent events' })
}

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])

function schemaOfProperties(properties: readonly PropertyType[], open: boolean): TSchema {
  const entries = properties.map((property) => [property.name, describe(property)] as const)
  return Type.Object(Object.fromEntries(entries), { additionalProperties: open })
}

/** What a property's schema demands of values: all that TypeBox wrote of what lies inside of them, and keywords besides the type. */
function constrainedSchema({ type, definition }: PropertyType): TSchema {
  const { schema } = definition
  if (!isPlainObject(schema)) return typeSchema(type)
  const { shape, ...keywords } = schema
  const values = isPlainObject(shape) ? Type.Unsafe(plainSchema(shape)) : typeSchema(type)
  return { ...values, ...keywords }
}

function describe(property: PropertyType): TSchema {
  const { required, definition } = property
  const schema = constrainedSchema(property)
  const described =
    typeof definition.description === 'string' ? { ...schema, description: definition.description } : schema
  return required ? described : Type.Optional(nullable(described))
}

/** The JSON schema of a value. Names of models become references that API documents resolve. */
export function typeSchema(type: AnyType): TSchema {
  if (type.kind === 'array') return Type.Array(type.items === undefined ? Type.Unknown() : typeSchema(type.items))
  if (type.kind === 'nested') return schemaOfProperties(type.properties, true)
  if (type.kind === 'model') return Type.Unsafe({ 'x-model': type.model })
  return scalars[type.kind]?.() ?? Type.Unknown()
}

const recordSchemas = new WeakMap<ModelType, TSchema>()

/** The JSON schema of a model's records as clients see them. Made once per model. */
export function recordSchema(model: ModelType): TSchema {
  const cached = recordSchemas.get(model)
  if (cached !== undefined) return cached
  const shown = model.properties.filter(({ name }) => !model.hidden.has(name))
  const schema = schemaOfProperties(shown, !model.strict)
  recordSchemas.set(model, schema)
  return schema
}

function argumentsFrom(operation: Operation, ...sources: readonly Argument['source'][]): readonly Argument[] {
  return operation.accepts.filter(({ source }) => sources.includes(source))
}

function schemaOfArguments(list: readonly Argument[]): TSchema | undefined {
  if (list.length === 0) return undefined
  const entries = list.map(
    ({ name, type, required }) => [name, required ? typeSchema(type) : Type.Optional(typeSchema(type))] as const
  )
  return Type.Object(Object.fromEntries(entries))
}

function bodySchema(operation: Operation): TSchema | undefined {
  const body = argumentsFrom(operation, 'body')[0]
  if (body === undefined) return schemaOfArguments(argumentsFrom(operation, 'form', 'formData'))
  if (body.name !== 'data' || !operation.model.persisted) return typeSchema(body.type)
  const record = recordSchema(operation.model)
  return body.allowArray ? Type.Union([record, Type.Array(record)]) : record
}

function answerSchema(operation: Operation): TSchema | undefined {
  const bodies = operation.returns.filter(({ target }) => target === undefined)
  const root = bodies.find((item) => item.root)
  if (root?.schema !== undefined) return Type.Unsafe(root.schema)
  if (root !== undefined)
    return root.type.kind === 'model' && root.type.model === operation.model.name
      ? recordSchema(operation.model)
      : typeSchema(root.type)
  return bodies.length === 0
    ? undefined
    : Type.Object(Object.fromEntries(bodies.map(({ name, type }) => [name, typeSchema(type)])))
}

const present = (parts: Record<string, TSchema | undefined>): FastifySchema =>
  Object.fromEntries(Object.entries(parts).filter(([, schema]) => schema !== undefined))

/** The JSON schemas of an operation, for Fastify routes: documents show them and typed clients read them. */
export function routeSchema(operation: Operation, createdStatus: 200 | 201): FastifySchema {
  const answer = answerSchema(operation)
  return {
    ...present({
      params: schemaOfArguments(argumentsFrom(operation, 'path')),
      querystring: schemaOfArguments(argumentsFrom(operation, 'query')),
      headers: schemaOfArguments(argumentsFrom(operation, 'header')),
      body: bodySchema(operation)
    }),
    ...(answer === undefined ? {} : { response: { [successStatus(operation, createdStatus)]: answer } })
  }
}
