import type { ModelRegistry } from '@modelwire/core'
import type { Argument, Operation } from '@modelwire/core/plugin'
import type { ModelType, PropertyType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { plainSchema, typeSchema as routeTypeSchema } from '@modelwire/rest'
import type { RelatedModel } from '../api/related-models.ts'
import { textOf } from '../api/documented-routes.ts'
import { writtenKeywords } from '../swagger/written-schema.ts'
import type { Schema } from './openapi-types.ts'
import type { Components } from './components.ts'

/** The dependencies of schemas. */
export interface SchemaParts {
  readonly registry: ModelRegistry
  readonly components: Components
  /** A reference to the schema of a model's records. */
  readonly recordOf: (model: ModelType) => Schema
  /** The relations of a model, found once per document. */
  readonly relatedOf: (model: ModelType) => readonly RelatedModel[]
}

/** A schema that also allows null. */
export function nullable(schema: Schema): Schema {
  const { type } = schema
  const values: unknown = schema['enum']
  if (typeof type !== 'string') return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [type, 'null'],
    // A list of anything.
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {})
  }
}

function modelSchema(name: string, parts: SchemaParts): Schema {
  const model = parts.registry.find(name)
  // A polymorphic relation leads to records of any model.
  return model === undefined || !hasShape(model.properties) ? { type: 'object' } : parts.recordOf(model)
}

const hasShape = (properties: readonly PropertyType[]): boolean => properties.length > 0

/** The schema of a compiled type; records of models are references. */
export function valueSchema(type: Argument['type'] | Operation['returns'][number]['type'], parts: SchemaParts): Schema {
  if (type.kind === 'model') return modelSchema(type.model, parts)
  if (type.kind === 'array') {
    const items = type.items === undefined ? {} : valueSchema(type.items, parts)
    return { type: 'array', items: type.nullableItems === true ? nullable(items) : items }
  }
  if (type.kind === 'nested') return propertiesSchema(type.properties, parts)
  if (type.kind === 'object') return { type: 'object' }
  return plainSchema(routeTypeSchema(type))
}

const numeric = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems'
])

/** Files may write whatever they like; a keyword that is none is left out. */
function soundKeyword([name, value]: [string, unknown]): [string, unknown][] {
  if (numeric.has(name)) return Number.isFinite(Number(value)) ? [[name, Number(value)]] : []
  if (name === 'enum') return Array.isArray(value) && value.length > 0 ? [[name, value]] : []
  if (name === 'pattern') return [[name, value instanceof RegExp ? value.source : String(value)]]
  if (name === 'format') return typeof value === 'string' ? [[name, value]] : []
  if (name === 'example') return [['examples', [value]]]
  return typeof value === 'function' ? [] : [[name, value]]
}

/** The keywords of an argument or property in addition to its type. OpenAPI 3.1 has `examples` in place of `example`. */
export function schemaKeywords(written: Readonly<Record<string, unknown>>): Schema {
  const { schema } = written
  const { shape: _shape, ...ruled } = isPlainObject(schema) ? schema : {}
  const all = Object.entries({ ...ruled, ...writtenKeywords(written) })
  return Object.fromEntries(all.flatMap(soundKeyword))
}

/** The part of a property's schema that TypeBox wrote and a type cannot express. */
function shapeOf({ definition }: PropertyType): Schema | undefined {
  const { schema } = definition
  const shape = isPlainObject(schema) ? schema['shape'] : undefined
  return isPlainObject(shape) ? plainSchema(shape) : undefined
}

/** The schema of one property, without null. */
export function propertySchema(property: PropertyType, parts: SchemaParts): Schema {
  const schema = shapeOf(property) ?? valueSchema(property.type, parts)
  const keywords = schemaKeywords(property.definition)
  const description = textOf(property.definition.description) ?? keywords['description']
  return { ...schema, ...keywords, ...(description === undefined ? {} : { description }) }
}

/** An object of properties. What need not be there may be null. */
function propertiesSchema(properties: readonly PropertyType[], parts: SchemaParts): Schema {
  const entries = properties.map((property) => {
    const schema = propertySchema(property, parts)
    return [property.name, property.required ? schema : nullable(schema)] as const
  })
  const required = properties.filter((property) => property.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    ...(required.length === 0 ? {} : { required })
  }
}
