import type { PropertyDefinition } from '@modelwire/core'
import { isPlainObject, isReadOnly, type ModelType, type PropertyType } from '@modelwire/core/plugin'
import { exampleOf } from '../api/tags.ts'
import { relatedModels } from '../api/related-models.ts'
import { textOf, withoutAbsent } from '../api/text-of.ts'
import type { Definitions } from './definitions.ts'
import { modelText, propertyText } from './loopback-model-texts.ts'
import type { SwaggerSchema } from './swagger-schema.ts'
import { writtenSchema } from './written-schema.ts'

/** Which definitions there are of a model besides its own. */
export interface Variants {
  /** `$new_Wine`: what a client may send to create a record, where that is less than all. */
  readonly forCreation: boolean
  /** `WineWithRelations`: a record with related ones. */
  readonly withRelations: boolean
}

/** Properties that only the server sets when a record is made. */
export function updateOnlyNames(model: ModelType): string[] {
  const isUpdateOnly = ({ id, definition }: PropertyType): boolean =>
    definition['updateOnly'] === true || (id && model.forceId)
  return model.properties.filter(isUpdateOnly).map(({ name }) => name)
}

const prefix = '$new_'
const suffix = 'WithRelations'

/** `$new_Wine` where a model has such a definition, else `Wine`. */
export function nameForCreation(model: ModelType | undefined, name: string, { forCreation }: Variants): string {
  return forCreation && model !== undefined && updateOnlyNames(model).length > 0 ? prefix + name : name
}

/** `WineWithRelations` where documents have such definitions, else `Wine`. */
export function nameWithRelations(name: string, { withRelations }: Variants): string {
  return withRelations ? name + suffix : name
}

/** The model behind the name of a definition, and which of its definitions that is. */
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
