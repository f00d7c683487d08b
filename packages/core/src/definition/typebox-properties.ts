import { OptionalKind, type TArray, TypeGuard, type TObject, type TSchema } from '@sinclair/typebox'
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
  return propertiesAt(schema, { model, key: 'properties' })
}

function propertiesAt({ properties }: TObject, { model, key }: Place): Record<string, PropertyDefinition> {
  const entries = Object.entries(properties)
  return Object.fromEntries(entries.map(([name, part]) => [name, toProperty(part, { model, key: `${key}.${name}` })]))
}

function toProperty(schema: TSchema, place: Place): PropertyDefinition {
  const optional = schema[OptionalKind] === 'Optional'
  const isId = schema['id'] === true || place.key === 'properties.id'
  const inner = withoutNull(schema)
  const settings = Object.fromEntries(
    propertyKeywords.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key] as unknown])
  )
  return {
    type: toType(inner, place),
    ...settings,
    schema: keywordsOf(inner),
    ...(isId ? { id: true, generated: isGenerated(schema, inner) } : {}),
    // A nullable property may be null; LoopBack's `required` refuses null too, so it cannot be required.
    required:
      !optional &&
      inner === schema &&
      schema.default === undefined &&
      schema['defaultFn'] === undefined &&
      !(isId && schema['generated'] !== false)
  }
}

/** What a schema demands of values besides their type. */
function keywordsOf(schema: TSchema): Record<string, unknown> {
  if (holdsParts(schema)) return { shape: schema }
  const written = ruleKeywords
    .filter((key) => schema[key] !== undefined)
    .map((key) => [key, schema[key] as unknown] as const)
  const literals = literalValues(schema)
  return {
    ...Object.fromEntries<unknown>(written),
    ...(literals === undefined ? {} : { enum: literals }),
    ...(TypeGuard.IsRegExp(schema) ? { pattern: schema.source } : {}),
    ...(TypeGuard.IsArray(schema) ? { shape: withoutLength(schema) } : {})
  }
}

/** How long a list may be is told by a rule of its own. */
const withoutLength = ({ minItems: _min, maxItems: _max, ...schema }: TSchema): object => schema

/** True for schemas that say something of what lies inside of a value. */
const holdsParts = (schema: TSchema): boolean =>
  schema['modelwireType'] === undefined &&
  (TypeGuard.IsTuple(schema) ||
    TypeGuard.IsObject(schema) ||
    TypeGuard.IsRecord(schema) ||
    TypeGuard.IsIntersect(schema) ||
    (TypeGuard.IsUnion(schema) && typeOfLiterals(schema) === undefined))

/** Ids are made by the database where they are numbers, unless the schema says otherwise. */
function isGenerated(schema: TSchema, inner: TSchema): NonNullable<PropertyDefinition['generated']> {
  const written: unknown = schema['generated']
  const isSaid = typeof written === 'boolean' || written === 'uuid' || written === 'identity'
  return isSaid ? written : TypeGuard.IsNumber(inner) || TypeGuard.IsInteger(inner)
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
  [(schema) => TypeGuard.IsString(schema) && isDateText(schema), () => 'dateString'],
  [(schema) => isText(schema), () => 'string'],
  [TypeGuard.IsInteger, () => 'integer'],
  [TypeGuard.IsNumber, () => 'number'],
  [TypeGuard.IsBoolean, () => 'boolean'],
  [TypeGuard.IsUint8Array, () => 'buffer'],
  // The guards of these two rows make sure of the type.
  [TypeGuard.IsArray, (schema, place) => [toType((schema as TArray).items, place)]],
  [TypeGuard.IsObject, (schema, place) => propertiesAt(schema as TObject, place)],
  [TypeGuard.IsTuple, () => 'array'],
  [TypeGuard.IsRecord, () => 'object'],
  [(schema) => typeOfLiterals(schema) !== undefined, (schema) => typeOfLiterals(schema)],
  [(schema) => holdsAnything(schema), () => 'any']
]

const isText = (schema: TSchema): boolean =>
  TypeGuard.IsString(schema) || TypeGuard.IsTemplateLiteral(schema) || TypeGuard.IsRegExp(schema)

const holdsAnything = (schema: TSchema): boolean =>
  TypeGuard.IsAny(schema) || TypeGuard.IsUnknown(schema) || TypeGuard.IsUnion(schema) || TypeGuard.IsIntersect(schema)

/** The type of literals that have one in common. */
function typeOfLiterals(schema: TSchema): string | undefined {
  const types = new Set(literalValues(schema)?.map((value) => typeof value))
  return types.size === 1 ? [...types][0] : undefined
}

function toType(schema: TSchema, place: Place): unknown {
  const found = counterparts.find(([matches]) => matches(schema))
  if (found !== undefined) return found[1](schema, place)
  throw new UnknownPropertyType('no type of property is like this schema; give it modelwireType', place)
}
