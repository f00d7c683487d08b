import { isAlwaysThere, isReadOnly, predefinedMethods, type Operation } from '@modelwire/core/plugin'
import { type ModelType, type PropertyType, shortName } from '@modelwire/core/connector'
import { hasFieldRules } from '../api/related-models.ts'
import { exampleOf } from '../api/tags.ts'
import { textOf, withoutAbsent } from '../api/documented-routes.ts'
import { updateOnlyNames } from '../swagger/model-definition.ts'
import type { Schema } from './openapi-types.ts'
import { nullable, propertySchema, type SchemaParts } from './type-schema.ts'

/** True where what a client sends for it never counts: it is refused, or the server sets another value. */
export const isSetByServer = (property: Pick<PropertyType, 'guard' | 'definition'>): boolean =>
  isReadOnly(property) || property.definition['setByServer'] === true

/** Properties visible to clients. */
export function shownProperties(model: ModelType): PropertyType[] {
  return model.properties.filter(({ name }) => !model.hidden.has(name))
}

/** How clients send a record: a complete new one, a complete replacement, or changes. */
export type SentAs = 'creation' | 'replacement' | 'patch'

const sentBy: Readonly<Partial<Record<Operation['effect']['verb'], SentAs>>> = {
  create: 'creation',
  replace: 'replacement',
  upsert: 'patch',
  patch: 'patch'
}

/** The form of an operation's data; undefined if it takes no record. */
export const sentAs = ({ verb, whole }: Operation['effect']): SentAs | undefined =>
  whole === true ? 'replacement' : sentBy[verb]

/** Properties that clients of some kind can set by sending this. Rules that are stored later may allow more in application folders. */
function settableProperties(model: ModelType, sent: SentAs): readonly PropertyType[] {
  const { accessControl, rules } = model.registry
  const methods = Object.entries(predefinedMethods).filter(([, { effect }]) => sentAs(effect) === sent)
  const names = rules.documentsDenied
    ? undefined
    : accessControl?.settable(
        model,
        methods.map(([name]) => shortName(name))
      )
  return model.properties.filter((property) => !isSetByServer(property) && names?.has(property.name) !== false)
}

/**
 * Properties of a whole record that clients send: those that they can set. Of hidden ones only what no record is made
 * without, such as a password, whose name a validation error reveals as well.
 */
const sentProperties = (model: ModelType, sent: SentAs): readonly PropertyType[] =>
  settableProperties(model, sent).filter((property) => !model.hidden.has(property.name) || mustBeSent(property))

/** Properties that clients may change. */
const changedProperties = (model: ModelType): readonly PropertyType[] =>
  settableProperties(model, 'patch').filter(({ name }) => !model.hidden.has(name))

function relationSchemas(model: ModelType, parts: SchemaParts): [string, Schema][] {
  return parts.relatedOf(model).flatMap(({ name, target, many, includable }): [string, Schema][] => {
    if (!includable) return []
    const schema = parts.recordOf(target)
    return [[name, many ? { type: 'array', items: schema } : nullable(schema)]]
  })
}

const notes = {
  shown: 'Which properties are present depends on the caller.',
  sent: 'Which properties may be set depends on the caller.'
} as const

function described(model: ModelType, otherwise: string, note: keyof typeof notes): Schema {
  const text = textOf(model.definition.description) ?? otherwise
  const more = [...(hasFieldRules(model) ? [notes[note]] : []), ...(note === 'sent' ? checkTexts(model) : [])]
  return { description: [text, ...more].join('\n\n') }
}

/** What the checks of a model require, unless they read what is hidden. */
const checkTexts = ({ checks, hidden }: ModelType): string[] =>
  checks
    .filter(({ properties }) => !properties.some((name) => hidden.has(name)))
    .map(({ properties: [name = ''], message }) => `\`${name}\` ${message}.`)

const closed = (model: ModelType): Schema => (model.strict ? { additionalProperties: false } : {})

/** What the server alone sets is marked; clients need not send it, though answers hold it. */
function shownSchema(schema: Schema, property: PropertyType, { forceId }: ModelType): Schema {
  return isSetByServer(property) || (property.id && forceId) ? { ...schema, readOnly: true } : schema
}

/**
 * What is hidden is in no answer. Defaults are left to the server: generators of clients take a property with a default for a
 * required one.
 */
function sentSchema({ default: _default, ...schema }: Schema, { name, guard }: PropertyType, model: ModelType): Schema {
  const once = guard === 'writeOnce' ? { description: withSentence(schema['description']) } : {}
  return { ...schema, ...once, ...(model.hidden.has(name) ? { writeOnly: true } : {}) }
}

const withSentence = (text: unknown): string =>
  [...(typeof text === 'string' ? [text] : []), 'It cannot be changed once it is set.'].join('\n\n')

/** How the schemas of properties differ between responses and requests. */
type Adapt = (schema: Schema, property: PropertyType, model: ModelType) => Schema

interface ObjectParts {
  readonly properties: readonly PropertyType[]
  readonly required: (property: PropertyType) => boolean
  readonly adapt: Adapt
}

function objectOf(
  model: ModelType,
  { properties, required, adapt }: ObjectParts,
  parts: SchemaParts
): { properties: Record<string, Schema>; required?: string[] } {
  const names = properties.filter(required).map(({ name }) => name)
  const entries = properties.map((property) => {
    const schema = adapt(propertySchema(property, parts), property, model)
    return [property.name, property.nullable && !property.id ? nullable(schema) : schema] as const
  })
  return { properties: Object.fromEntries(entries), ...(names.length === 0 ? {} : { required: names }) }
}

/** A record in responses, with related records if a filter includes them. */
export function recordReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(model.name, () => {
    const isOpen = !hasFieldRules(model)
    const isThere = (property: PropertyType): boolean => property.id || (isOpen && isAlwaysThere(property))
    const shown = { properties: shownProperties(model), required: isThere, adapt: shownSchema }
    const { properties, required } = objectOf(model, shown, parts)
    const example = exampleOf(model)
    return {
      type: 'object',
      ...described(model, `A ${model.name}`, 'shown'),
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

/** The data of a new record, without what only the server sets. */
export function creationReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}New`, () => {
    const left = new Set(updateOnlyNames(model))
    const sent = sentProperties(model, 'creation').filter(({ name }) => !left.has(name))
    return {
      type: 'object',
      ...described(model, `A new ${model.name}`, 'sent'),
      ...objectOf(model, { properties: sent, required: mustBeSent, adapt: sentSchema }, parts),
      ...closed(model)
    }
  })
}

/** The data of a replacement record. */
export function replacementReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Data`, () => ({
    type: 'object',
    ...described(model, `A whole ${model.name}`, 'sent'),
    ...objectOf(
      model,
      { properties: sentProperties(model, 'replacement'), required: mustBeSent, adapt: sentSchema },
      parts
    ),
    ...closed(model)
  }))
}

/** The changes to a record. */
export function patchReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Patch`, () => ({
    type: 'object',
    ...described(model, `Changes of a ${model.name}`, 'sent'),
    ...objectOf(model, { properties: changedProperties(model), required: () => false, adapt: sentSchema }, parts),
    ...closed(model)
  }))
}

/** The changes to a record, with its id. */
export function changeReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Change`, () => {
    const { key } = model
    const others = changedProperties(model).filter((property) => !key.includes(property))
    const properties = [...key, ...others]
    const required = (property: PropertyType): boolean => key.includes(property)
    return {
      type: 'object',
      ...described(model, `Changes of a ${model.name}, with its id`, 'sent'),
      ...objectOf(model, { properties, required, adapt: sentSchema }, parts),
      ...closed(model)
    }
  })
}
