import { isPlainObject } from '@modelwire/server'
import type { Definitions } from './model-definition.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'
import { textOf } from '../api/documented-routes.ts'

/** Keys of properties and arguments that mean a keyword of another name. */
const translated = [
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['length', 'maxLength']
] as const

const kept = [
  'format',
  'default',
  'enum',
  'minimum',
  'minItems',
  'minLength',
  'maximum',
  'maxItems',
  'maxLength',
  'uniqueItems',
  'pattern'
] as const

/** Names of types that are none of a document, with those that come next. LB3: it left references to nothing. */
const standIns: ReadonlyMap<string, string> = new Map([
  ['text', 'string'],
  ['bool', 'boolean'],
  ['json', 'any'],
  ['point', 'geopoint']
])

const primitives = new Set(['boolean', 'integer', 'number', 'null', 'string', 'object', 'array', 'file'])

/** The name of a written type, or `array`. A nested object is an `object`. */
export function writtenName(type: unknown): string | readonly unknown[] {
  // A list of whatever was written.
  if (Array.isArray(type)) return type as unknown[]
  const name = nameOf(type)
  if (name.toLowerCase() === 'array') return ['any']
  const item = /^\[(.*)\]$/.exec(name)?.[1]
  return item === undefined ? (standIns.get(name.toLowerCase()) ?? name) : [item]
}

function nameOf(type: unknown): string {
  if (typeof type === 'string') return type
  if (typeof type === 'function')
    return 'modelName' in type && typeof type.modelName === 'string' ? type.modelName : type.name
  return typeof type === 'object' && type !== null ? 'object' : 'any'
}

/** True for the types that need no definition. */
export function isPrimitive(name: string): boolean {
  return primitives.has(name.toLowerCase())
}

/** `{ type: … }` for every way to write a type. */
function toWritten(written: unknown): WrittenType {
  const isType = typeof written === 'string' || typeof written === 'function' || Array.isArray(written)
  if (isType) return { type: written }
  return isPlainObject(written) && Boolean(written['type']) ? written : { type: 'any' }
}

const ofName: Readonly<Record<string, (keywords: SwaggerSchema) => SwaggerSchema>> = {
  date: () => ({ type: 'string', format: 'date-time' }),
  buffer: () => ({ type: 'string', format: 'byte' }),
  number: ({ format }) => ({ type: 'number', format: format ?? 'double' })
}

function namedSchema(name: string, keywords: SwaggerSchema, definitions: Definitions): SwaggerSchema {
  const lower = name.toLowerCase()
  if (lower === 'any') return { $ref: definitions.reference('x-any') }
  const own = ofName[lower]
  if (own !== undefined) return own(keywords)
  if (isPrimitive(lower)) return { type: lower }
  // LB3: a reference to nothing.
  return definitions.has(name) ? { $ref: definitions.reference(name) } : { type: 'object' }
}

/** Returns the name of the definition for the records of a model. */
export type NameRecord = (model: string, written: WrittenType) => string

/**
 * The schema of a type as written in model files and remote methods: `string`, `['string']`, `{ type: 'number', min: 1 }`.
 * @param nameRecord chooses a variant for an `object` with a `model`
 * @see LoopBack 3: loopback-swagger, lib/specgen/schema-builder.js
 */
export function writtenSchema(
  value: unknown,
  definitions: Definitions,
  nameRecord: NameRecord = (model) => model
): SwaggerSchema {
  const written = toWritten(value)
  const keywords = writtenKeywords(written)
  const { type, model } = written
  if (type === 'object' && typeof model === 'string')
    return { ...keywords, $ref: definitions.reference(nameRecord(model, written)) }
  const name = writtenName(type)
  if (typeof name !== 'string')
    return { ...keywords, type: 'array', items: writtenSchema(name[0] ?? 'any', definitions) }
  if (isPlainObject(type)) {
    const properties = Object.entries(type).map(([key, part]) => [key, writtenSchema(part, definitions)])
    return { ...keywords, type: 'object', properties: Object.fromEntries(properties) }
  }
  return { ...keywords, ...namedSchema(name, keywords, definitions) }
}

/** Swagger 2 knows no null: members of a default that are null are left out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls)
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]))
}

function keyword(written: WrittenType, from: string, to: string): [string, unknown][] {
  const value = written[from]
  if (value === undefined || (value === null && from !== 'enum')) return []
  return [[to, to === 'default' ? withoutNulls(value) : value]]
}

/** What a model defined by TypeBox demands of a property besides its type. */
function schemaKeywords({ schema }: WrittenType): WrittenType {
  if (!isPlainObject(schema)) return {}
  const { shape: _shape, ...keywords } = schema
  return keywords
}

/**
 * The keywords of a schema in addition to its type.
 * @see LoopBack 3: loopback-swagger, lib/specgen/schema-builder.js, buildMetadata
 */
export function writtenKeywords(written: WrittenType): SwaggerSchema {
  const all = { ...schemaKeywords(written), ...written }
  const description = textOf(written['description']) ?? textOf(written['doc'])
  return {
    ...Object.fromEntries(translated.flatMap(([from, to]) => keyword(all, from, to))),
    ...Object.fromEntries(kept.flatMap((name) => keyword(all, name, name))),
    ...(description === undefined ? {} : { description }),
    ...(written['example'] === undefined || written['example'] === null ? {} : { example: written['example'] })
  }
}
