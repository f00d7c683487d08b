import { isPlainObject } from '@modelwire/core/plugin'
import { textOf } from '../api/text-of.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'

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
 * The keywords of a schema besides its type.
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
