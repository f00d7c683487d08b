import type { ModelType, PropertyType } from '@modelwire/core'
import { exampleOf } from '../api/tags.ts'
import { textOf, withoutAbsent } from '../api/text-of.ts'
import { updateOnlyNames } from '../swagger/model-definition.ts'
import type { Schema } from './openapi-types.ts'
import { nullable, propertySchema, type SchemaParts } from './type-schema.ts'

/** Properties that clients see. */
export function shownProperties(model: ModelType): PropertyType[] {
  return model.properties.filter(({ name }) => !model.hidden.has(name))
}

/** Properties that clients may send: hidden ones, such as passwords, too. */
const sentProperties = (model: ModelType): readonly PropertyType[] => model.properties

function relationSchemas(model: ModelType, parts: SchemaParts): [string, Schema][] {
  return parts.relatedOf(model).flatMap(({ name, target, many, includable }): [string, Schema][] => {
    if (!includable) return []
    const schema = parts.recordOf(target)
    return [[name, many ? { type: 'array', items: schema } : nullable(schema)]]
  })
}

const described = (model: ModelType, otherwise: string): Schema => ({
  description: textOf(model.definition.description) ?? otherwise
})

const closed = (model: ModelType): Schema => (model.strict ? { additionalProperties: false } : {})

/** What is sent may leave defaults to the server: generators of clients take a property with a default for a required one. */
function withoutDefault({ default: _default, ...schema }: Schema): Schema {
  return schema
}

function objectOf(
  properties: readonly PropertyType[],
  required: (property: PropertyType) => boolean,
  parts: SchemaParts,
  adapt: (schema: Schema) => Schema = withoutDefault
): { properties: Record<string, Schema>; required?: string[] } {
  const names = properties.filter(required).map(({ name }) => name)
  const entries = properties.map((property) => {
    const schema = adapt(propertySchema(property, parts))
    return [property.name, property.required || property.id ? schema : nullable(schema)] as const
  })
  return { properties: Object.fromEntries(entries), ...(names.length === 0 ? {} : { required: names }) }
}

/** A record as it is answered, with related records where a filter includes them. */
export function recordReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.reference(model.name, () => {
    const { properties, required } = objectOf(
      shownProperties(model),
      ({ required: must, id }) => must || id,
      parts,
      (schema) => schema
    )
    const example = exampleOf(model)
    return {
      type: 'object',
      ...described(model, `A ${model.name}`),
      properties: { ...properties, ...Object.fromEntries(relationSchemas(model, parts)) },
      ...withoutAbsent({ required }),
      ...(example === undefined ? {} : { examples: [example] })
    }
  })
}

/** A client has to send it: nothing else gives it a value. */
function mustBeSent({ required, generated, makeDefault }: PropertyType): boolean {
  return required && !generated && makeDefault === undefined
}

/** The data of a new record, without what the server alone sets. */
export function creationReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.reference(`${model.name}New`, () => {
    const left = new Set(updateOnlyNames(model))
    const sent = sentProperties(model).filter(({ name }) => !left.has(name))
    return {
      type: 'object',
      ...described(model, `A new ${model.name}`),
      ...objectOf(sent, mustBeSent, parts),
      ...closed(model)
    }
  })
}

/** The data of a record that takes the place of another one. */
export function replacementReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.reference(`${model.name}Data`, () => ({
    type: 'object',
    ...described(model, `All of a ${model.name}`),
    ...objectOf(sentProperties(model), mustBeSent, parts),
    ...closed(model)
  }))
}

/** What to change of a record. */
export function patchReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.reference(`${model.name}Patch`, () => ({
    type: 'object',
    ...described(model, `Changes of a ${model.name}`),
    ...objectOf(sentProperties(model), () => false, parts),
    ...closed(model)
  }))
}
