import { isPlainObject } from '@modelwire/core/plugin'
import type { Definitions } from './definitions.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'
import { writtenKeywords } from './written-keywords.ts'

/** Names of types that are none of a document, with those that come next. LB3: it left references to nothing. */
const standIns: ReadonlyMap<string, string> = new Map([
  ['text', 'string'],
  ['bool', 'boolean'],
  ['json', 'any'],
  ['point', 'geopoint']
])

const primitives = new Set(['boolean', 'integer', 'number', 'null', 'string', 'object', 'array', 'file'])

/** The name of a written type, or the list that it is. A nested object is an `object`. */
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

/** The name of the definition that stands for the records of a model. */
export type NameRecord = (model: string, written: WrittenType) => string

/**
 * The schema of a type as model files and remote methods write it: `string`, `['string']`, `{ type: 'number', min: 1 }`.
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
