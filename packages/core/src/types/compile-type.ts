import { UnknownPropertyType, DottedPropertyName } from '../definition/errors.ts'
import { expandProperty } from '../definition/inherit-definition.ts'
import type { PropertyDefinition } from '../definition/property-definition.ts'
import type { PropertyGuard, PropertyType } from './property-type.ts'
import { makeDefault } from './default-value.ts'
import type { ScalarKind, ValueType } from './value-type.ts'

/** Type names as written in model files, in lower case. */
const namedKinds: ReadonlyMap<string, ScalarKind> = new Map([
  ['string', 'string'],
  ['text', 'text'],
  ['number', 'number'],
  ['integer', 'integer'],
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
  ['date', 'date'],
  ['datestring', 'dateString'],
  ['buffer', 'buffer'],
  ['binary', 'buffer'],
  ['geopoint', 'geopoint'],
  ['point', 'geopoint'],
  ['object', 'object'],
  ['any', 'any'],
  ['json', 'any']
])

/** Where a type stands, for the error that names it. */
export interface TypePlace {
  model: string
  file?: string
  key: string
  /** Property names may hold dots (version 2). */
  dottedNames: boolean
}

/** The name behind a constructor such as `String` or a model class. */
function referenceName(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference
  if (typeof reference !== 'function') return undefined
  return 'modelName' in reference && typeof reference.modelName === 'string' ? reference.modelName : reference.name
}

const isForeign = (reference: unknown, name = ''): boolean =>
  typeof reference === 'function' && !('modelName' in reference) && !/^[A-Z]/.test(name) && !namedKinds.has(name)

/**
 * Compiles a type as written in a model file or in the arguments of a remote method. A name that is not a built-in type
 * is taken for a model's; the registry checks those once all models are known.
 * @throws {UnknownPropertyType} the reference is not a type at all
 */
export function compileType(reference: unknown, place: TypePlace): ValueType {
  if (Array.isArray(reference)) return compileList(reference, place)
  const name = referenceName(reference)
  // A function that is not a constructor converts values in LoopBack: here they are kept as they are.
  if (isForeign(reference, name)) return { kind: 'any' }
  if (name !== undefined) return compileName(name, place)
  if (typeof reference !== 'object' || reference === null)
    throw new UnknownPropertyType(`${JSON.stringify(reference)} is not a type`, place)
  const properties = Object.entries(reference).map(([key, value]) =>
    compileProperty(key, expandProperty(value), { ...place, key: `${place.key}.${key}` })
  )
  return { kind: 'nested', properties, byName: new Map(properties.map((property) => [property.name, property])) }
}

function compileName(name: string, place: TypePlace): ValueType {
  const kind = namedKinds.get(name.toLowerCase())
  if (kind !== undefined) return { kind }
  if (name.toLowerCase() === 'array') return { kind: 'array' }
  const list = /^\[(.+)\]$/.exec(name)?.[1] ?? /^(.+)\[\]$/.exec(name)?.[1]
  if (list !== undefined) return compileList([list], place)
  return { kind: 'model', model: name }
}

function compileList(reference: readonly unknown[], place: TypePlace): ValueType {
  if (reference.length > 1) throw new UnknownPropertyType('a list must have a single type', place)
  if (reference.length === 0) return { kind: 'array' }
  const items = expandProperty(reference[0]).type
  const type = compileType(items, place)
  return type.kind === 'any' ? { kind: 'array' } : { kind: 'array', items: type }
}

/**
 * Compiles one property.
 * @throws {DottedPropertyName} the name holds a dot and the protocol's version forbids it
 * @throws {UnknownPropertyType} the type is none
 */
export function compileProperty(name: string, definition: PropertyDefinition, place: TypePlace): PropertyType {
  if (name.includes('.') && !place.dottedNames)
    throw new DottedPropertyName(`the property name "${name}" holds a dot, which filters read as a path`, place)
  return {
    name,
    type: definition.generated === 'uuid' ? { kind: 'string' } : compileType(definition.type, place),
    id: Boolean(definition.id),
    generated: definition.generated !== undefined && definition.generated !== false,
    required: Boolean(definition.required),
    index: isIndexed(definition),
    unique: definition.unique === true || hasUniqueIndex(definition.index),
    makeDefault: makeDefault(definition),
    guard: guardOf(definition),
    definition
  }
}

function guardOf({ readOnly, writeOnce, fromCaller }: PropertyDefinition): PropertyGuard | undefined {
  if (fromCaller !== undefined) return `from:${fromCaller}`
  if (readOnly === true) return 'readOnly'
  return writeOnce === true ? 'writeOnce' : undefined
}

const isIndexed = (definition: PropertyDefinition): boolean =>
  definition.index !== undefined && definition.index !== false

const hasUniqueIndex = (index: unknown): boolean =>
  typeof index === 'object' && index !== null && 'unique' in index && index.unique === true
