import { InvalidDefinition, UnknownPropertyType } from './errors.ts'
import * as json from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import type { PropertyDefinition } from './property-definition.ts'
import type { ObjectSchema } from './schema-types.ts'
import { isPlainObject } from '@modelwire/server'
import { closestName } from '../values/describe.ts'

/** Keywords of a schema that are settings of a property. */
const propertyKeywords = [
  'id',
  'generated',
  'index',
  'unique',
  'hidden',
  'readOnly',
  'writeOnce',
  'fromCaller',
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

/** Property definitions of an object of TypeBox or JSON Schema. @throws {UnknownPropertyType} */
export function toProperties(schema: ObjectSchema, model: string): Record<string, PropertyDefinition> {
  return propertiesAt({ ...schema }, { model, key: 'properties' })
}

function propertiesAt(schema: JsonSchema, { model, key }: Place): Record<string, PropertyDefinition> {
  const { required = [], properties } = schema
  // An object's properties are schemas by name.
  const entries = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
  const demanded = new Set(Array.isArray(required) ? required : [])
  const marked = entries.filter(([, part]) => part['id'] === true).map(([name]) => name)
  const ids = marked.length === 0 && key === 'properties' ? ['id'] : marked
  return Object.fromEntries(
    entries.map(([name, part]) => {
      const role = { demanded: demanded.has(name), isId: ids.includes(name), isPart: ids.length > 1 }
      return [name, toProperty(part, role, { model, key: `${key}.${name}` })]
    })
  )
}

/** What a property is for its object: it may be the id, or a part of it. */
interface Role {
  readonly demanded: boolean
  readonly isId: boolean
  readonly isPart: boolean
}

function toProperty(schema: JsonSchema, { demanded, isId, isPart }: Role, place: Place): PropertyDefinition {
  refuseMisspelt(schema, place)
  for (const [keyword, part] of Object.entries(schema)) refuseInnerGuards(keyword, part, place)
  const inner = json.withoutNull(schema)
  const settings = Object.fromEntries(
    propertyKeywords.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]])
  )
  const generated = isId && isGenerated(schema, inner, isPart, place)
  return {
    type: toType(inner, place),
    ...settings,
    schema: keywordsOf(inner),
    ...(inner !== schema && { nullable: true }),
    ...(isId ? { id: true, generated } : {}),
    // A nullable property may be null; LoopBack's `required` refuses null too, so it cannot be required.
    required:
      demanded &&
      inner === schema &&
      schema['default'] === undefined &&
      schema['defaultFn'] === undefined &&
      !(isId && (isPart ? generated !== false : schema['generated'] !== false))
  }
}

const allKeywords = [...propertyKeywords, ...ruleKeywords]
const keywordsOfSchemas = new Set<string>([...allKeywords, 'type', 'title', 'const', 'not', 'items', 'anyOf', 'allOf'])

/** TypeScript lets every keyword pass. @throws {InvalidDefinition} one is misspelt, or would have no effect */
function refuseMisspelt(schema: JsonSchema, place: Place): void {
  if (typeof schema['required'] === 'boolean')
    throw new InvalidDefinition('"required" must be a list of names next to "properties"', place)
  for (const keyword of Object.keys(schema)) {
    const suggestion = keywordsOfSchemas.has(keyword) ? undefined : closestName(keyword, allKeywords)
    if (suggestion !== undefined)
      throw new InvalidDefinition(`unknown keyword "${keyword}": did you mean "${suggestion}"?`, place)
  }
}

/** Settings of whole properties: what clients may set and see. */
const guards = ['readOnly', 'writeOnce', 'fromCaller', 'hidden'] as const
const heldValues = new Set(['default', 'examples', 'example', 'enum', 'const'])

/** Clients write and read a value as a whole. @throws {InvalidDefinition} a part of one has a setting that would not be kept */
function refuseInnerGuards(keyword: string, part: unknown, place: Place): void {
  if (heldValues.has(keyword)) return
  if (Array.isArray(part)) for (const one of part) refuseInnerGuards('', one, place)
  if (!isPlainObject(part)) return
  const guard = guards.find((name) => part[name] === true || (name === 'fromCaller' && typeof part[name] === 'string'))
  if (guard !== undefined)
    throw new InvalidDefinition(`"${guard}" applies to whole properties, not to parts of their values`, place)
  for (const [name, inner] of Object.entries(part)) refuseInnerGuards(name, inner, place)
}

/** What a schema demands of values besides their type. */
function keywordsOf(schema: JsonSchema): Record<string, unknown> {
  if (holdsParts(schema)) return { shape: schema }
  const written = ruleKeywords.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]] as const)
  const literals = json.literalValues(schema)
  return {
    ...Object.fromEntries<unknown>(written),
    ...(literals === undefined ? {} : { enum: literals }),
    ...(schema['type'] === 'RegExp' ? { pattern: schema['source'] } : {}),
    ...(json.isArraySchema(schema) ? { shape: withoutLength(schema) } : {})
  }
}

/** The length of a list is checked by a rule of its own. */
const withoutLength = ({ minItems: _min, maxItems: _max, ...schema }: JsonSchema): object => schema

/** True for schemas that constrain the inside of a value. */
const holdsParts = (schema: JsonSchema): boolean =>
  schema['modelwireType'] === undefined &&
  (json.isTupleSchema(schema) ||
    json.isObjectSchema(schema) ||
    json.isRecordSchema(schema) ||
    json.isIntersectSchema(schema) ||
    (holdsSeveral(schema) && typeOfLiterals(schema) === undefined))

/**
 * Ids are made by the database where they are numbers, unless the schema says otherwise.
 * @throws {InvalidDefinition} a number among several ids does not say which: whether it is the id alone depends on that
 */
function isGenerated(
  schema: JsonSchema,
  inner: JsonSchema,
  isPart: boolean,
  place: Place
): NonNullable<PropertyDefinition['generated']> {
  const written = schema['generated']
  const isSet = typeof written === 'boolean' || written === 'uuid' || written === 'identity'
  if (isSet) return written
  const isNumber = json.isNumberSchema(inner) || json.isIntegerSchema(inner)
  if (isPart && isNumber)
    throw new InvalidDefinition(
      'several properties are marked with "id": a number among them must have "generated", false to be a part of their id, or true if the database makes it',
      place
    )
  return isNumber
}

const isDateText = (schema: JsonSchema): boolean => schema['format'] === 'date-time' || schema['format'] === 'date'

/** The counterparts of schemas, tried in this order. */
const counterparts: readonly (readonly [
  (schema: JsonSchema) => boolean,
  (schema: JsonSchema, place: Place) => unknown
])[] = [
  [(schema) => schema['modelwireType'] !== undefined, (schema) => schema['modelwireType']],
  [json.isIntersectSchema, () => 'any'],
  [json.isDateSchema, () => 'date'],
  [(schema) => typeOfLiterals(schema) !== undefined, (schema) => typeOfLiterals(schema)],
  [(schema) => json.isStringSchema(schema) && isDateText(schema), () => 'dateString'],
  [json.isStringSchema, () => 'string'],
  [json.isIntegerSchema, () => 'integer'],
  [json.isNumberSchema, () => 'number'],
  [json.isBooleanSchema, () => 'boolean'],
  [json.isBytesSchema, () => 'buffer'],
  [json.isTupleSchema, () => 'array'],
  [json.isArraySchema, (schema, place) => listOf(schema['items'], place)],
  [json.isObjectSchema, propertiesAt],
  [json.isRecordSchema, () => 'object'],
  [(schema) => holdsAnything(schema), () => 'any']
]

function listOf(items: unknown, place: Place): unknown {
  if (items === undefined) return 'array'
  const schema = items as JsonSchema // items of a list are a schema
  const inner = json.withoutNull(schema)
  return [inner === schema ? toType(schema, place) : { type: toType(inner, place), nullable: true }]
}

const holdsSeveral = (schema: JsonSchema): boolean => json.isUnionSchema(schema) || Array.isArray(schema['type'])

const holdsAnything = (schema: JsonSchema): boolean =>
  json.isUnknownSchema(schema) || holdsSeveral(schema) || 'enum' in schema

/** The type of literals that have one in common. */
function typeOfLiterals(schema: JsonSchema): string | undefined {
  const types = new Set(json.literalValues(schema)?.map((value) => typeof value))
  return types.size === 1 ? [...types][0] : undefined
}

function toType(schema: JsonSchema, place: Place): unknown {
  const found = counterparts.find(([matches]) => matches(schema))
  if (found !== undefined) return found[1](schema, place)
  throw new UnknownPropertyType('no property type matches this schema: set modelwireType', place)
}
