import { OptionalKind, TypeGuard, type TObject, type TSchema } from '@sinclair/typebox'
import { UnknownPropertyType } from '../errors.ts'
import type { PropertyDefinition } from './property-definition.ts'

/** Keywords of a schema that are settings of a property. */
const propertyKeywords = [
  'id',
  'generated',
  'index',
  'unique',
  'hidden',
  'defaultFn',
  'default',
  'description',
  'postgresql',
  'mysql',
  'sqlite3',
  'length',
  'precision',
  'scale'
] as const

/** Keywords that become validation rules. */
const ruleKeywords = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'enum'
] as const

type Place = { model: string; key: string }

/** Property definitions of a TypeBox object. @throws {UnknownPropertyType} */
export function toProperties(schema: TObject, model: string): Record<string, PropertyDefinition> {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      toProperty(property, { model, key: `properties.${name}` })
    ])
  )
}

function toProperty(schema: TSchema, place: Place): PropertyDefinition {
  const optional = schema[OptionalKind] === 'Optional'
  const isId = schema['id'] === true || place.key === 'properties.id'
  const inner = withoutNull(schema)
  const settings = Object.fromEntries(
    propertyKeywords.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key] as unknown])
  )
  const rules = Object.fromEntries(
    ruleKeywords.filter((key) => inner[key] !== undefined).map((key) => [key, inner[key] as unknown])
  )
  const literals = literalValues(inner)
  return {
    type: toType(inner, place),
    ...settings,
    ...(Object.keys(rules).length > 0 || literals !== undefined
      ? { schema: { ...rules, ...(literals && { enum: literals }) } }
      : {}),
    ...(isId
      ? { id: true, generated: isGenerated(schema, inner) }
      : {}),
    // A nullable property may be null; LoopBack's `required` refuses null too, so it cannot be required.
    required:
      !optional &&
      inner === schema &&
      schema.default === undefined &&
      schema['defaultFn'] === undefined &&
      !(isId && schema['generated'] !== false)
  }
}

/** Ids are made by the database where they are numbers, unless the schema says otherwise. */
function isGenerated(schema: TSchema, inner: TSchema): boolean {
  const written: unknown = schema['generated']
  return typeof written === 'boolean' ? written : TypeGuard.IsNumber(inner) || TypeGuard.IsInteger(inner)
}

/** `T` of `T | null`. */
function withoutNull(schema: TSchema): TSchema {
  if (!TypeGuard.IsUnion(schema)) return schema
  const rest = schema.anyOf.filter((part) => !TypeGuard.IsNull(part))
  return rest.length === 1 && rest[0] !== undefined ? rest[0] : schema
}

/** The values of a literal or of a union of literals. */
function literalValues(schema: TSchema): readonly unknown[] | undefined {
  if (TypeGuard.IsLiteral(schema)) return [schema.const]
  if (!TypeGuard.IsUnion(schema)) return undefined
  const values = schema.anyOf
    .filter((part) => !TypeGuard.IsNull(part))
    .map((part) => (TypeGuard.IsLiteral(part) ? part.const : undefined))
  return values.includes(undefined) ? undefined : values
}

const isDateText = (schema: TSchema): boolean => schema['format'] === 'date-time' || schema['format'] === 'date'

/** The counterparts of schemas, tried in this order. */
const counterparts: readonly (readonly [(schema: TSchema) => boolean, (schema: TSchema, place: Place) => unknown])[] = [
  [(schema) => schema['modelwireType'] !== undefined, (schema) => schema['modelwireType'] as unknown],
  [TypeGuard.IsDate, () => 'date'],
  [
    (schema) => TypeGuard.IsString(schema) && isDateText(schema),
    (schema) => (schema['format'] === 'date' ? 'dateString' : 'dateString')
  ],
  [(schema) => TypeGuard.IsString(schema) || TypeGuard.IsTemplateLiteral(schema), () => 'string'],
  [TypeGuard.IsInteger, () => 'integer'],
  [TypeGuard.IsNumber, () => 'number'],
  [TypeGuard.IsBoolean, () => 'boolean'],
  [TypeGuard.IsUint8Array, () => 'buffer'],
  [TypeGuard.IsArray, (schema, place) => [toType((schema as unknown as { items: TSchema }).items, place)]],
  [TypeGuard.IsObject, (schema, place) => toProperties(schema as TObject, place.model)],
  [TypeGuard.IsRecord, () => 'object'],
  [(schema) => typeof literalValues(schema)?.[0] === 'number', () => 'number'],
  [(schema) => typeof literalValues(schema)?.[0] === 'boolean', () => 'boolean'],
  [(schema) => literalValues(schema) !== undefined, () => 'string'],
  [
    (schema) =>
      TypeGuard.IsAny(schema) ||
      TypeGuard.IsUnknown(schema) ||
      TypeGuard.IsUnion(schema) ||
      TypeGuard.IsIntersect(schema),
    () => 'any'
  ]
]

function toType(schema: TSchema, place: Place): unknown {
  const found = counterparts.find(([matches]) => matches(schema))
  if (found === undefined)
    throw new UnknownPropertyType(
      'this schema has no counterpart among the types of properties; give it modelwireType',
      place
    )
  return found[1](schema, place)
}
