import { UnknownPropertyType, DottedPropertyName } from '../definition/errors.ts'
import { expandProperty } from '../definition/inherit-definition.ts'
import type { PropertyDefinition } from '../definition/property-definition.ts'
import type { PropertyGuard, PropertyType, ScalarKind, ValueType } from './property-type.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { clonePlain } from '@modelwire/server'

/** 100-nanosecond steps between 15 October 1582 and the Unix epoch. */
const gregorianOffset = 122192928000000000n

const node = randomBytes(6)

// RFC 9562 section 6.10: a random node id has the multicast bit set, so that it never equals a network card's.
node.writeUInt8(node.readUInt8(0) | 1, 0)

const nodeText = node.toString('hex')

const clockSequence = ((randomBytes(2).readUInt16BE(0) & 0x3fff) | 0x8000).toString(16)

/** Generates a time-based UUID. */
export const uuidV1: () => string = createUuidV1()

const shortIdAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'

/** Named default functions. `guid` and `uuid` are time based, as LoopBack's are. */
const namedDefaults: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['guid', uuidV1],
  ['uuid', uuidV1],
  ['uuidv4', () => randomUUID()],
  ['now', () => new Date()],
  ['shortid', shortId]
])

/** Names allowed in `defaultFn`. */
export const defaultFunctionNames: readonly string[] = [...namedDefaults.keys()]

const isMaker = (value: unknown): value is () => unknown => typeof value === 'function'

/** LB3: the default `$now` of a date; of other types it is a text like others. */
const isNow = ({ type, default: value }: PropertyDefinition): boolean =>
  value === '$now' && (type === Date || (typeof type === 'string' && type.toLowerCase() === 'date'))

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

/** The location of a type, for error messages. */
export interface TypePlace {
  model: string
  file?: string
  key: string
  /** Property names may contain dots (version 2). */
  dottedNames: boolean
  /** Clients may set properties that the database generates. */
  setsGenerated?: boolean
  /** Null is a value of every property that is not required. */
  takesNull?: boolean
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
 * Compiles a type as written in a model file or in the arguments of a remote method. A name that is not a built-in type is
 * assumed to be a model; the registry checks those once all models are known.
 * @throws {UnknownPropertyType} the reference is not a type at all
 */
export function compileType(reference: unknown, place: TypePlace): ValueType {
  if (Array.isArray(reference)) return compileList(reference, place)
  const name = referenceName(reference)
  // A function that is not a constructor converts values in LoopBack: here they are kept as they are.
  if (isForeign(reference, name)) return { kind: 'any' }
  if (name !== undefined) return compileName(name, place)
  if (typeof reference !== 'object' || reference === null)
    throw new UnknownPropertyType(`unknown type ${JSON.stringify(reference)}`, place)
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
  const { type, nullable } = expandProperty(reference[0])
  const items = compileType(type, place)
  return items.kind === 'any'
    ? { kind: 'array' }
    : { kind: 'array', items, ...(nullable === true && { nullableItems: true }) }
}

/**
 * Compiles one property.
 * @throws {DottedPropertyName} the name holds a dot and the protocol's version forbids it
 * @throws {UnknownPropertyType} the type is none
 */
export function compileProperty(name: string, definition: PropertyDefinition, place: TypePlace): PropertyType {
  if (name.includes('.') && !place.dottedNames)
    throw new DottedPropertyName(`the property name "${name}" contains a dot, which filters read as a path`, place)
  return {
    name,
    type: definition.generated === 'uuid' ? { kind: 'string' } : compileType(definition.type, place),
    id: Boolean(definition.id),
    generated: definition.generated !== undefined && definition.generated !== false,
    required: Boolean(definition.required),
    nullable: isNullable(definition, place),
    index: isIndexed(definition),
    unique: definition.unique === true || hasUniqueIndex(definition.index),
    makeDefault: makeDefault(definition),
    guard: guardOf(definition, place),
    definition
  }
}

function isNullable(definition: PropertyDefinition, { takesNull }: TypePlace): boolean {
  const { id, required, nullable, default: written } = definition
  if (required) return false
  if (takesNull === true || Boolean(id)) return true
  return typeof nullable === 'boolean' ? nullable : makeDefault(definition) === undefined || written === null
}

function guardOf(definition: PropertyDefinition, { setsGenerated }: TypePlace): PropertyGuard | undefined {
  const { readOnly, writeOnce, fromCaller, generated = false } = definition
  if (fromCaller !== undefined) return `from:${fromCaller}`
  const isGenerated = generated !== false && !definition.id && setsGenerated !== true
  if (readOnly === true || isGenerated) return 'readOnly'
  return writeOnce === true ? 'writeOnce' : undefined
}

const isIndexed = (definition: PropertyDefinition): boolean =>
  definition.index !== undefined && definition.index !== false

const hasUniqueIndex = (index: unknown): boolean =>
  typeof index === 'object' && index !== null && 'unique' in index && index.unique === true

/** Ten characters from the URL-safe alphabet: 60 bits of randomness. */
function shortId(): string {
  return Array.from(randomBytes(10), (byte) => shortIdAlphabet[byte & 63]).join('')
}

/**
 * The function that generates a property's default; undefined if it has none. An unknown name has none: LoopBack only warns
 * about it, and so does the registry.
 */
export function makeDefault(definition: PropertyDefinition): (() => unknown) | undefined {
  const { defaultFn, default: written, applyDefaultOnWrites = true } = definition
  // LB3: it holds for reads as well, and for `default` alone.
  const value = applyDefaultOnWrites === false ? undefined : written
  if (typeof defaultFn === 'string' && namedDefaults.has(defaultFn)) return namedDefaults.get(defaultFn)
  if (isMaker(defaultFn)) return () => defaultFn()
  if (value === undefined) return undefined
  if (isNow(definition)) return namedDefaults.get('now')
  if (isMaker(value)) return () => value()
  return typeof value === 'object' && value !== null ? () => clonePlain(value) : () => value
}

/**
 * Makes a function that returns time-based UUIDs, each later than the previous one.
 * @see RFC 9562 section 5.1
 */
export function createUuidV1(now: () => number = Date.now): () => string {
  let last = 0n
  return () => {
    const time = BigInt(now()) * 10000n + gregorianOffset
    last = time > last ? time : last + 1n
    const text = last.toString(16).padStart(15, '0')
    return `${text.slice(7)}-${text.slice(3, 7)}-1${text.slice(0, 3)}-${clockSequence}-${nodeText}`
  }
}
