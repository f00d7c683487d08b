import type { PropertyDefinition } from '@modelwire/core'
import { isReadOnly } from '@modelwire/core/plugin'
import type { ModelType, PropertyType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { exampleOf } from '../api/tags.ts'
import { relatedModels } from '../api/related-models.ts'
import { textOf, withoutAbsent } from '../api/documented-routes.ts'
import type { SwaggerSchema } from './swagger-schema.ts'
import { writtenSchema } from './written-schema.ts'

/** The texts of LoopBack's document about its own models and their properties. */
interface ModelText {
  readonly description?: string
  readonly properties?: Readonly<Record<string, string>>
}

const ofModels: ReadonlyMap<string, ModelText> = new Map([
  [
    'AccessToken',
    {
      properties: {
        ttl: 'time to live in seconds (2 weeks by default)',
        scopes: 'Array of scopes granted to this access token.'
      }
    }
  ],
  [
    'ACL',
    {
      properties: {
        model: 'The name of the model',
        property: 'The name of the property, method, scope, or relation'
      }
    }
  ],
  [
    'RoleMapping',
    {
      description: 'Map principals to roles',
      properties: {
        principalType:
          'The principal type, such as USER, APPLICATION, ROLE, or user model name in case of multiple user models'
      }
    }
  ]
])

/** Collects the definitions that a document refers to. */
export interface Definitions {
  /** True if there is a definition of this name. */
  readonly has: (name: string) => boolean
  /** A reference to a definition, which is then included in the document. */
  readonly reference: (name: string) => string
  /** All referenced definitions, including indirect ones. */
  readonly collect: () => Record<string, SwaggerSchema>
}

/** Types of LoopBack that have a definition of their own, by their name in lower case. */
const builtIn: ReadonlyMap<string, readonly [string, SwaggerSchema]> = new Map([
  ['x-any', ['x-any', { properties: {} }]],
  ['objectid', ['ObjectID', { type: 'string', pattern: '^[a-fA-F\\d]{24}$' }]],
  ['geopoint', ['GeoPoint', { properties: { lat: { type: 'number' }, lng: { type: 'number' } } }]],
  ['datestring', ['DateString', { type: 'string', format: 'date-time' }]]
])

/** Makes the definition of a model, or of a variant of one; undefined if there is none of this name. */
type DefineModel = (name: string, definitions: Definitions) => (() => SwaggerSchema) | undefined

/** The variants of a model's definition. */
export interface Variants {
  /** `$new_Wine`: what a client may send to create a record, if that is less than all. */
  readonly forCreation: boolean
  /** `WineWithRelations`: a record with related ones. */
  readonly withRelations: boolean
}

/** Properties that only the server sets when a record is created. */
export function updateOnlyNames(model: ModelType): string[] {
  const isUpdateOnly = ({ id, definition }: PropertyType): boolean =>
    definition['updateOnly'] === true || (id && model.forceId)
  return model.properties.filter(isUpdateOnly).map(({ name }) => name)
}

const prefix = '$new_'
const suffix = 'WithRelations'

/** `$new_Wine` if a model has such a definition, else `Wine`. */
export function nameForCreation(model: ModelType | undefined, name: string, { forCreation }: Variants): string {
  return forCreation && model !== undefined && updateOnlyNames(model).length > 0 ? prefix + name : name
}

/** `WineWithRelations` if documents have such definitions, else `Wine`. */
export function nameWithRelations(name: string, { withRelations }: Variants): string {
  return withRelations ? name + suffix : name
}

/** The model of a definition's name, and the variant. */
export function modelOfDefinition(
  find: (name: string) => ModelType | undefined,
  name: string,
  variants: Variants
): { model: ModelType; variant: 'own' | 'new' | 'related' } | undefined {
  const model = find(name)
  if (model !== undefined) return { model, variant: 'own' }
  const created = name.startsWith(prefix) ? find(name.slice(prefix.length)) : undefined
  if (created !== undefined && nameForCreation(created, created.name, variants) === name)
    return { model: created, variant: 'new' }
  const related = variants.withRelations && name.endsWith(suffix) ? find(name.slice(0, -suffix.length)) : undefined
  return related === undefined ? undefined : { model: related, variant: 'related' }
}

/** LB3: properties nested right below a name, without `type`, are anything. */
function asWritten(definition: PropertyDefinition): unknown {
  return isPlainObject(definition.type) && Object.keys(definition).length === 1 ? 'any' : definition
}

/** LB3: the connector determines the type of ids that it generates, whatever a model file declares. */
function isMadeAsText({ dataSource }: ModelType, { id, generated, type }: PropertyType): boolean {
  return id && generated && type.kind === 'string' && dataSource?.connector.capabilities.generatedIdType === 'string'
}

function propertySchema(model: ModelType, property: PropertyType, definitions: Definitions): SwaggerSchema {
  const { name, definition } = property
  const schema = isMadeAsText(model, property)
    ? { type: 'string' as const }
    : writtenSchema(asWritten(definition), definitions)
  const description = propertyText(model, name) ?? textOf(definition.description) ?? textOf(definition['doc'])
  return { ...schema, ...withoutAbsent({ description }), ...(isReadOnly(property) ? { readOnly: true } : {}) }
}

function relationProperties(model: ModelType, definitions: Definitions): [string, SwaggerSchema][] {
  return relatedModels(model).flatMap(({ name, target, many, includable }): [string, SwaggerSchema][] => {
    if (!includable) return []
    const schema = { $ref: definitions.reference(target.name + suffix) }
    return [[name, many ? { type: 'array', items: schema } : schema]]
  })
}

const isExtension = ([key]: [string, unknown]): boolean => key.startsWith('x-')

/**
 * The definition of a model: its properties without hidden ones.
 * @see LoopBack 3: loopback-swagger, lib/specgen/model-helper.js
 */
export function modelDefinition(
  model: ModelType,
  variant: 'own' | 'new' | 'related',
  definitions: Definitions
): SwaggerSchema {
  const left = new Set([...model.hidden, ...(variant === 'new' ? updateOnlyNames(model) : [])])
  const shown = model.properties.filter(({ name }) => !left.has(name))
  // What is read-only is not sent, and a definition is about what is sent as well.
  const required = shown.filter(
    (property) => (property.required && !isReadOnly(property)) || (property.id && !property.generated)
  )
  const { strict, additionalProperties } = model.definition
  const isOpen = (strict === undefined || strict === false) && additionalProperties === true
  return {
    ...Object.fromEntries(Object.entries(model.definition).filter(isExtension)),
    ...withoutAbsent({ description: modelText(model), example: exampleOf(model) }),
    properties: Object.fromEntries([
      ...shown.map((property) => [property.name, propertySchema(model, property, definitions)] as const),
      ...(variant === 'related' ? relationProperties(model, definitions) : [])
    ]),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    ...(isOpen ? {} : { additionalProperties: false })
  }
}

/**
 * Definitions of one document.
 * @see LoopBack 3: loopback-swagger, lib/specgen/type-registry.js
 */
export function createDefinitions(define: DefineModel): Definitions {
  const referenced = new Set<string>()
  const find = (name: string): (() => SwaggerSchema) | undefined => {
    const schema = builtIn.get(name.toLowerCase())
    return schema === undefined ? define(name, definitions) : () => schema[1]
  }
  const definitions: Definitions = {
    has: (name) => find(name) !== undefined,
    reference: (name) => {
      const shown = builtIn.get(name.toLowerCase())?.[0] ?? name
      referenced.add(shown)
      return `#/definitions/${shown}`
    },
    collect: () => {
      const made: Record<string, SwaggerSchema> = {}
      // A set goes on to names that are added while it is walked.
      for (const name of referenced) {
        const schema = find(name)?.()
        if (schema !== undefined) made[name] = schema
      }
      return made
    }
  }
  return definitions
}

/** The description of a model: LoopBack's for its own models. */
export function modelText(model: ModelType): string | undefined {
  return textOf(model.definition.description) ?? ofModels.get(model.name)?.description
}

/** LoopBack's description of a property of its own models; undefined for all others. */
function propertyText(model: ModelType, property: string): string | undefined {
  return ofModels.get(model.name)?.properties?.[property]
}
