import { type Operator, operators } from '@modelwire/core/plugin'
import type { ModelType, PropertyType, ValueType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { Schema } from './openapi-types.ts'
import type { SchemaParts } from './type-schema.ts'

const point: Schema = {
  anyOf: [
    { type: 'object', properties: { lat: { type: 'number' }, lng: { type: 'number' } }, required: ['lat', 'lng'] },
    { type: 'string', description: 'latitude,longitude' }
  ]
}

/** The operators on values of a schema. */
function operatorsOn({ value, holds }: ConditionKind): Schema {
  const named = [...operators].filter(([, { documentedFor = holds }]) => documentedFor === holds)
  const properties = named.flatMap(([name, { schema, beside = {} }]) => [
    [name, schema(value)] as const,
    ...Object.entries(beside)
  ])
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

interface ConditionKind {
  readonly name: string
  readonly value: Schema
  /** The kind of type-specific operators. */
  readonly holds?: Operator['documentedFor']
}

const onText: ConditionKind = { name: 'StringCondition', value: { type: 'string' }, holds: 'text' }
const onNumber: ConditionKind = { name: 'NumberCondition', value: { type: 'number' } }
const onAny: ConditionKind = { name: 'AnyCondition', value: {} }
const onPlace: ConditionKind = { name: 'GeoPointCondition', value: point, holds: 'point' }

const kinds: ReadonlyMap<string, ConditionKind> = new Map([
  ['string', onText],
  ['number', onNumber],
  ['integer', onNumber],
  ['boolean', { name: 'BooleanCondition', value: { type: 'boolean' } }],
  ['date', { name: 'DateCondition', value: { type: 'string', format: 'date-time' } }],
  ['dateString', onText],
  ['geopoint', onPlace]
])

/** A condition on a list is one on its items. */
function kindOf(type: ValueType): ConditionKind {
  const one = type.kind === 'array' && type.items !== undefined ? type.items : type
  return kinds.get(one.kind) ?? onAny
}

/** The values that a property is limited to. */
function listedValues({ definition: { schema } }: PropertyType): readonly unknown[] | undefined {
  const listed: unknown = isPlainObject(schema) ? schema['enum'] : undefined
  return Array.isArray(listed) && listed.length > 0 ? listed : undefined
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** A condition on a property that is limited to some values has a schema of its own. */
function conditionOf(model: ModelType, property: PropertyType): ConditionKind {
  const kind = kindOf(property.type)
  const values = listedValues(property)
  if (values === undefined) return kind
  return { ...kind, name: `${model.name}${capitalised(property.name)}Condition`, value: { enum: values } }
}

/** A condition on a property: an equal value, or operators. */
export function conditionReference(model: ModelType, property: PropertyType, { components }: SchemaParts): Schema {
  const condition = conditionOf(model, property)
  const { name, value } = condition
  if (Object.keys(value).length === 0)
    return components.schema(name, () => ({ description: 'A value that the property is equal to, or operators' }))
  return components.schema(name, () => ({
    description: 'A value that the property is equal to, or operators all of which hold',
    anyOf: [value, { type: 'null' }, operatorsOn(condition)]
  }))
}
