import type { ModelType, PropertyType, ValueType } from '@modelwire/core/connector'
import { isAlwaysThere } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { hasFieldRules, relatedModels } from '../api/related-models.ts'
import { textOf } from '../api/documented-routes.ts'
import type { DescribedApi } from '../openapi/openapi-document.ts'
import { isSetByServer } from '../openapi/record-schemas.ts'

/** Options of the generated types. */
export interface ModelTypesOptions {
  /** `code`: as server code sees records; `clients`: as JSON shows them, without hidden properties. Default `code`. */
  readonly for?: 'code' | 'clients'
}

type Audience = Required<ModelTypesOptions>['for']

const scalars: Readonly<Record<string, Readonly<Record<Audience, string>>>> = {
  date: { code: 'Date', clients: 'string' },
  buffer: { code: 'Uint8Array', clients: "{ type: 'Buffer'; data: number[] }" },
  geopoint: { code: '{ lat: number; lng: number }', clients: '{ lat: number; lng: number }' },
  object: { code: 'Record<string, unknown>', clients: 'Record<string, unknown>' }
}
const plain: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['dateString', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean']
])

/** `big-thing` → `BigThing`. */
function typeName(model: string): string {
  const words = model.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^\p{N}/u.test(name) ? `_${name}` : name
}

const keyOf = (name: string): string => (/^[\p{L}$_][\p{L}\p{N}$_]*$/u.test(name) ? name : JSON.stringify(name))

/** Parts of a union stand in brackets before `[]`. */
const listOf = (type: string): string => (type.includes('|') ? `(${type})[]` : `${type}[]`)

function writeItems(
  { items, nullableItems }: Extract<ValueType, { kind: 'array' }>,
  model: ModelType,
  audience: Audience
): string {
  if (items === undefined) return 'unknown'
  return `${writeType(items, model, audience)}${nullableItems === true ? ' | null' : ''}`
}

function writeType(type: ValueType, model: ModelType, audience: Audience): string {
  if (type.kind === 'array') return listOf(writeItems(type, model, audience))
  if (type.kind === 'nested')
    return `{ ${type.properties.map((part) => writeMember(part, model, audience)).join('; ')} }`
  if (type.kind === 'model') return model.registry.find(type.model) === undefined ? 'unknown' : typeName(type.model)
  return scalars[type.kind]?.[audience] ?? plain.get(type.kind) ?? 'unknown'
}

/** The values that a property is limited to, as a union. */
function writeValues({ definition }: PropertyType): string | undefined {
  const { schema } = definition
  const values = definition['enum'] ?? (isPlainObject(schema) ? schema['enum'] : undefined)
  if (!Array.isArray(values) || values.length === 0) return undefined
  return values.map((value: unknown) => JSON.stringify(value)).join(' | ')
}

function writeMember(property: PropertyType, model: ModelType, audience: Audience): string {
  const type = writeValues(property) ?? writeType(property.type, model, audience)
  const isThere = property.id || (isAlwaysThere(property) && (audience === 'code' || !hasFieldRules(model)))
  const orNull = property.nullable ? ' | null' : ''
  const modifier = audience === 'clients' && isSetByServer(property) ? 'readonly ' : ''
  return `${modifier}${keyOf(property.name)}${isThere ? `: ${type}` : `?: ${type}${orNull}`}`
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined) return ''
  // The end of a comment in the text would end this one.
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function writeModel(model: ModelType, audience: Audience): string {
  const shown = model.properties.filter(({ name }) => audience === 'code' || !model.hidden.has(name))
  const members = shown.map(
    (property) =>
      comment(textOf(property.definition.description), '  ') + `  ${writeMember(property, model, audience)}\n`
  )
  const included = relatedModels(model).filter(({ includable }) => includable)
  const related = included.map(({ name, target, many }) => {
    const type = many ? listOf(typeName(target.name)) : `${typeName(target.name)} | null`
    return `  /** There after an include. */\n  ${keyOf(name)}?: ${type}\n`
  })
  // What code includes is a helper of the record, which relations types.
  const body = [...members, ...(audience === 'clients' ? related : [])].join('')
  return `${comment(textOf(model.definition.description), '')}export interface ${typeName(model.name)} {\n${body}}\n`
}

/**
 * TypeScript interfaces of the records of all models, in the order of their names.
 * @param app whatever holds the models, once they and their relations are complete
 */
export function modelTypes({ models }: DescribedApi, { for: audience = 'code' }: ModelTypesOptions = {}): string {
  const sorted = models.names().toSorted((left, right) => (left < right ? -1 : 1))
  return sorted.map((name) => writeModel(models.typeOf(name), audience)).join('\n')
}

/**
 * The declaration that types `app.models` of `@modelwire/core` with the interfaces of `modelTypes`, for the same file.
 * @param app the same
 */
export function modelDeclarations({ models }: DescribedApi): string {
  const members = models
    .names()
    .toSorted((left, right) => (left < right ? -1 : 1))
    .map((name) => `    ${keyOf(name)}: ModelClass<${typeName(name)}>\n`)
  return `declare module '@modelwire/core' {\n  interface Models {\n${members.join('')}  }\n}\n`
}
