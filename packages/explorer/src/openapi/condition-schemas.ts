import { isPlainObject, type ModelType, type PropertyType, type ValueType } from '@modelwire/core'
import type { Schema } from './openapi-types.ts'
import type { SchemaParts } from './type-schema.ts'

const text: Schema = { type: 'string' }
const point: Schema = {
  anyOf: [
    { type: 'object', properties: { lat: { type: 'number' }, lng: { type: 'number' } }, required: ['lat', 'lng'] },
    { type: 'string', description: 'latitude,longitude' }
  ]
}

const pattern = (description: string): Schema => ({ ...text, description })

/** Operators that compare texts with a pattern. */
const textOperators: Readonly<Record<string, Schema>> = {
  like: pattern('matches; % and _ stand for any text and any sign'),
  nlike: pattern('does not match'),
  ilike: pattern('matches in any case'),
  nilike: pattern('does not match in any case'),
  regexp: pattern('matches a regular expression, such as /^a/i')
}

/** Operators on a value of a type, and those that the type adds. */
function operators(value: Schema, more: Readonly<Record<string, Schema>>): Schema {
  const orNull = { anyOf: [value, { type: 'null' }] }
  const values = { type: 'array', items: orNull }
  return {
    type: 'object',
    properties: {
      eq: orNull,
      neq: orNull,
      gt: value,
      gte: value,
      lt: value,
      lte: value,
      between: { type: 'array', items: value, minItems: 2, maxItems: 2 },
      inq: { ...values, description: 'one of these' },
      nin: { ...values, description: 'none of these' },
      ...more
    },
    additionalProperties: false
  }
}

interface ConditionKind {
  readonly name: string
  readonly value: Schema
  readonly more?: Readonly<Record<string, Schema>>
}

const onText: ConditionKind = { name: 'StringCondition', value: text, more: textOperators }
const onNumber: ConditionKind = { name: 'NumberCondition', value: { type: 'number' } }
const onAny: ConditionKind = { name: 'AnyCondition', value: {} }
const onPlace: ConditionKind = {
  name: 'GeoPointCondition',
  value: point,
  more: {
    near: point,
    maxDistance: { type: 'number', minimum: 0 },
    minDistance: { type: 'number', minimum: 0 },
    unit: { enum: ['radians', 'kilometers', 'meters', 'miles', 'feet', 'degrees'] }
  }
}

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

/** A condition on a property: a value that it is equal to, or operators. */
export function conditionReference(model: ModelType, property: PropertyType, { components }: SchemaParts): Schema {
  const { name, value, more = {} } = conditionOf(model, property)
  if (Object.keys(value).length === 0)
    return components.reference(name, () => ({ description: 'A value that the property is equal to, or operators' }))
  return components.reference(name, () => ({
    description: 'A value that the property is equal to, or operators all of which hold',
    anyOf: [value, { type: 'null' }, operators(value, more)]
  }))
}
