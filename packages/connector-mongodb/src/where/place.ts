import type { ValueType } from '@modelwire/core/connector'
import type { DocumentMap, Field } from '../document/document-map.ts'
import { idField, isFieldName } from '../names/read-mapping.ts'
import type { IdCoding } from '../values/object-ids.ts'

/** One step of a path in documents. */
export interface PlaceStep {
  readonly name: string
  /** There may be a list at this point. */
  readonly mayBeList: boolean
}

/** The place in documents that a path leads to. */
export interface Place {
  readonly steps: readonly PlaceStep[]
  /** The declared type at the place, or of its items if it is a list; undefined if nothing is declared. */
  readonly type: ValueType | undefined
  readonly ids: IdCoding
  /** Strings that could be ObjectIds may also be stored as strings. */
  readonly alsoTexts: boolean
  readonly decimal: boolean
  /** Strings are compared exactly, whatever the collation of the collection. */
  readonly exactly?: true
}

const index = /^(?:0|[1-9]\d*)$/
/** True for a step to one item of a list. */
export const isIndex = (step: string | undefined): boolean => step !== undefined && index.test(step)

/**
 * Resolves the path of a condition or an order; undefined if no document can have a value there.
 * @param type the declared type of what the path leads to
 */
export function placeOf(
  map: DocumentMap,
  [property = '', ...below]: readonly string[],
  type: ValueType | undefined
): Place | undefined {
  const field = fieldOf(map, property)
  if (field === undefined) return undeclaredPlace(map, property, below)
  if (!isFieldName(field.name)) return undefined
  if (below.length === 0) return ownPlace(field, type)
  if (!below.every(isStep)) return undefined
  const inPoint = stepsInPoint(map, field, below)
  if (inPoint !== undefined) return { ...untyped, steps: inPoint, type }
  return { ...untyped, steps: stepsFrom(field.name, field.property.type, below), type: itemsOf(type) }
}

/**
 * LB3: `_id` is the id under any name of it; loopback-connector-mongodb, lib/mongodb.js, buildWhere. Not one that is
 * hidden: a client could use it otherwise.
 */
function fieldOf({ byProperty, id, model }: DocumentMap, name: string): Field | undefined {
  const cached = byProperty.get(name)
  if (cached !== undefined || name !== idField || id === undefined) return cached
  return model.hidden.has(id.property.name) ? undefined : id
}

const untyped = { ids: 'lookalike', alsoTexts: true, decimal: false } as const

function ownPlace({ name, property, ids, alsoTexts, decimal }: Field, type: ValueType | undefined): Place {
  return {
    steps: [{ name, mayBeList: mayBeList(property.type) }],
    type: itemsOf(type ?? property.type),
    ids,
    alsoTexts,
    decimal
  }
}

function undeclaredPlace({ fieldNames }: DocumentMap, name: string, below: readonly string[]): Place | undefined {
  if (!isFieldName(name) || fieldNames.has(name) || name === idField || !below.every(isStep)) return undefined
  return { ...untyped, steps: stepsFrom(name, undefined, below), type: undefined }
}

/** Names that paths of MongoDB can hold: no value has others, unless another application stored it. */
const isStep = (step: string): boolean => isFieldName(step)

/** GeoJSON has the longitude first. */
function stepsInPoint({ settings }: DocumentMap, { name, property }: Field, below: readonly string[]) {
  if (!settings.enableGeoIndexing || property.type.kind !== 'geopoint') return undefined
  const at = ['lng', 'lat'].indexOf(below[0] ?? '')
  return at < 0 || below.length > 1 ? undefined : [name, 'coordinates', String(at)].map(single)
}

const single = (name: string): PlaceStep => ({ name, mayBeList: false })

function stepsFrom(name: string, type: ValueType | undefined, below: readonly string[]): readonly PlaceStep[] {
  const steps: PlaceStep[] = [{ name, mayBeList: mayBeList(type) }]
  let reached = type
  for (const step of below) {
    reached = typeBelow(reached, step)
    steps.push({ name: step, mayBeList: mayBeList(reached) })
  }
  return steps
}

function typeBelow(type: ValueType | undefined, step: string): ValueType | undefined {
  if (type?.kind === 'array') return isIndex(step) ? type.items : typeBelow(type.items, step)
  return type?.kind === 'nested' ? type.byName.get(step)?.type : undefined
}

const itemsOf = (type: ValueType | undefined): ValueType | undefined => (type?.kind === 'array' ? type.items : type)

const ofOneValue: ReadonlySet<ValueType['kind'] | undefined> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'dateString',
  'buffer',
  'geopoint',
  'nested'
])

const mayBeList = (type: ValueType | undefined): boolean => !ofOneValue.has(type?.kind)

/** The path in MongoDB's notation. */
export const pathOf = ({ steps }: Place): string => steps.map(({ name }) => name).join('.')
