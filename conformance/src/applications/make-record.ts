import type { ValuesByModel } from './application.ts'
import type { Description, ModelDescription, PropertyDescription } from './description.ts'
import type { Pair } from './pair.ts'
import { knownRecord, modelNamed, type Records } from './records.ts'

/** From what values are made. */
export interface Material {
  readonly description: Description
  readonly records: Records
  /** The id of the account that acts as owner. */
  readonly owner: Pair | undefined
  /** Values that an application's row names. */
  readonly values: ValuesByModel
  /** Raised for each value that has to be unlike others. */
  next(): number
}

const byName: readonly (readonly [RegExp, (count: number) => unknown])[] = [
  [/e-?mail/i, (count) => `person${count}@example.com`],
  [/password/i, () => 'Secret-123'],
  [/url|link|website|image|photo|picture|avatar/i, (count) => `http://localhost/${count}`],
  [/phone|mobile|cell/i, (count) => `555${String(count).padStart(7, '0')}`],
  [/date|time|created|updated/i, (count) => day(count)],
  [/lat/i, () => '52.5'],
  [/lng|lon/i, () => '13.4'],
  [/color|colour/i, () => '#336699']
]

const day = (count: number): string => `2021-03-${String((count % 28) + 1).padStart(2, '0')}T10:00:00.000Z`

function textFor(name: string, count: number, length = 255): string {
  const made = byName.find(([pattern]) => pattern.test(name))?.[1](count) ?? `${name.slice(0, 12)} ${count}`
  const text = String(made)
  return text.length <= length ? text : String(count).slice(0, length)
}

const byType: Readonly<Record<string, (name: string, count: number, length?: number) => unknown>> = {
  string: textFor,
  text: textFor,
  number: (_, count) => count,
  integer: (_, count) => count,
  boolean: (_, count) => count % 2 === 1,
  date: (_, count) => day(count),
  datestring: (_, count) => day(count).slice(0, 10),
  geopoint: (_, count) => ({ lat: 52.5, lng: 13 + (count % 10) / 10 }),
  object: (name, count) => ({ [`${name}Key`]: count }),
  any: textFor,
  objectid: () => undefined,
  buffer: () => undefined
}

/** A value of a type; undefined when nothing is known about it. */
export function valueOfType(type: string, name: string, material: Material, length?: number, depth = 0): unknown {
  const count = material.next()
  const make = byType[type.toLowerCase()]
  if (make !== undefined) return make(name, count, length)
  if (depth > 1 || material.description.models[type] === undefined) return {}
  return makeRecord(type, material, {}, depth + 1)
}

/** The record that a key names: that of a relation's target, or of the model that the name says. */
export function keyValue(name: string, target: string | undefined, material: Material): unknown {
  const { records, description, owner } = material
  const model = target ?? modelNamed(description, name)
  if (/^(?:user|owner|account|author|creator|createdby)_?(?:id)?$/i.test(name) && owner !== undefined) return owner
  if (model === undefined) return undefined
  if (description.models[model]?.isUser === true && owner !== undefined) return owner
  return knownRecord(records, model)?.id
}

function relationTarget({ relations }: ModelDescription, property: string): string | undefined {
  const relation = Object.values(relations).find(
    ({ kind, keyFrom, polymorphic }) => kind === 'belongsTo' && keyFrom === property && !polymorphic
  )
  return relation?.target
}

function fromValidations({ validations }: ModelDescription, name: string, value: unknown, count: number): unknown {
  const ofProperty = validations.filter(({ property }) => property === name)
  const list = ofProperty.find(({ kind, values = [] }) => kind === 'inclusion' && values.length > 0)?.values
  if (list !== undefined) return list[count % list.length]
  const { min = 0, max = Infinity } = ofProperty.find(({ kind }) => kind === 'length') ?? {}
  return typeof value === 'string' ? value.padEnd(min, 'x').slice(0, max) : value
}

function propertyValue(
  name: string,
  property: PropertyDescription,
  model: ModelDescription,
  material: Material,
  depth: number
): unknown {
  const key = keyValue(name, relationTarget(model, name), material)
  if (key !== undefined && !property.isList) return key
  if (relationTarget(model, name) !== undefined) return undefined
  if (property.values !== undefined) return property.values[0]
  const value = valueOfType(property.type, name, material, property.length, depth)
  const valid = fromValidations(model, name, value, material.next())
  return property.isList ? [valid] : valid
}

const madeByServer = new Set(['emailVerified', 'verificationToken', 'realm', 'ttl', 'createdAt', 'updatedAt'])

/** An id in place of one that each side would make by chance, so that both have the same order. */
const uuidOf = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`

function madeId({ idName = 'id', properties }: ModelDescription, material: Material): Record<string, unknown> {
  const { generated = true, hasDefault = false, type = '' } = properties[idName] ?? {}
  return hasDefault && !generated && /^string$/i.test(type) ? { [idName]: uuidOf(material.next()) } : {}
}

/** A record of a model that it accepts, as far as its definition says what that is; `values` win. */
export function makeRecord(
  name: string,
  material: Material,
  values: Readonly<Record<string, unknown>> = {},
  depth = 0
): Record<string, unknown> {
  const model = material.description.models[name]
  if (model === undefined) return { ...values }
  const given = { ...material.values[name], ...values }
  // The container that requests for files name.
  if (model.isStorage) return { name: 'conformance' }
  const entries = Object.entries(model.properties)
    .filter(
      ([property, { id, generated, required, hasDefault }]) =>
        !(id && generated) && !hasDefault && (required || !madeByServer.has(property))
    )
    .filter(
      ([property, { id, type, required }]) =>
        !(id && type.toLowerCase() === 'number' && !required) && !property.startsWith('_')
    )
    .map(([property, one]): [string, unknown] => [
      property,
      property in given ? given[property] : propertyValue(property, one, model, material, depth)
    ])
  return {
    ...madeId(model, material),
    ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    ...given
  }
}
