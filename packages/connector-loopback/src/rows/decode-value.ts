import type { ValueType } from '@modelwire/core/connector'
import { isObject, methodOf, partOf } from '../juggler/driver.ts'

type Decode = (value: unknown) => unknown

/**
 * Makes the function that converts a stored value to its type, however a connector represents it: numbers and dates as
 * strings, JSON as text.
 */
export function compileDecode(type: ValueType): Decode {
  const decode = decodeKind(type)
  return (value) => (value === null || value === undefined ? value : decode(value))
}

function decodeKind(type: ValueType): Decode {
  if (type.kind === 'array') return decodeList(type.items)
  if (type.kind === 'nested') return decodeNested(type)
  if (type.kind === 'model') return readJson
  return scalars[type.kind]
}

const scalars: Readonly<Record<Exclude<ValueType['kind'], 'array' | 'nested' | 'model'>, Decode>> = {
  string: textOf,
  text: textOf,
  number: numberOf,
  integer: numberOf,
  boolean: booleanOf,
  date: (value) => (value instanceof Date ? value : new Date(isDateText(value) ? value : Number(value))),
  dateString: (value) => (value instanceof Date ? value.toISOString() : textOf(value)),
  buffer: bufferOf,
  geopoint: pointOf,
  object: readJson,
  any: readJson
}

/** Ids of databases, such as MongoDB's, are objects with a text. */
function textOf(value: unknown): unknown {
  if (typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : String(value)
}

/** What is not a number stays as it is stored. */
function numberOf(value: unknown): unknown {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? value : number
}

function booleanOf(value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (Buffer.isBuffer(value)) return value[0] === 1
  return ['1', 't', 'true', 'y'].includes(String(value).toLowerCase())
}

const isDateText = (value: unknown): value is string => typeof value === 'string'

function bufferOf(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value)
  const bytes = partOf(value, 'data') ?? partOf(value, 'buffer')
  if (Array.isArray(bytes) || bytes instanceof Uint8Array) return Buffer.from(bytes as Uint8Array) // a list of bytes
  return typeof value === 'string' ? Buffer.from(value, 'base64') : value
}

function pointOf(value: unknown): unknown {
  const point = readJson(value)
  const [lat, lng] = [partOf(point, 'lat'), partOf(point, 'lng')]
  if (lat !== undefined && lng !== undefined) return { lat: Number(lat), lng: Number(lng) }
  const numbers = typeof point === 'string' ? point.split(/[(),\s]+/).filter((each) => each !== '') : []
  return numbers.length === 2 ? { lat: Number(numbers[0]), lng: Number(numbers[1]) } : point
}

/** What connectors for tables keep as text; a text that is not valid JSON is a text. */
function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return plainOf(value)
  try {
    const parsed: unknown = JSON.parse(value)
    return parsed
  } catch {
    return value
  }
}

/** Ids of databases within objects are their texts, as they would be in JSON. */
function plainOf(value: unknown): unknown {
  if (!isObject(value) || value instanceof Date || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return value.map(plainOf)
  if (methodOf(value, 'toHexString') !== undefined) return String(value)
  const plain: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value))
    Object.defineProperty(plain, name, { value: plainOf(part), enumerable: true, configurable: true, writable: true })
  return plain
}

function decodeList(items: ValueType | undefined): Decode {
  const decode = items === undefined ? plainOf : compileDecode(items)
  return (value) => {
    const list = readJson(value)
    return Array.isArray(list) ? list.map(decode) : list
  }
}

function decodeNested({ properties }: Extract<ValueType, { kind: 'nested' }>): Decode {
  const decodes = new Map(properties.map(({ name, type }) => [name, compileDecode(type)]))
  return (value) => {
    const object = readJson(value)
    if (!isObject(object) || Array.isArray(object)) return object
    return Object.fromEntries(
      Object.entries(object).map(([name, part]) => [name, (decodes.get(name) ?? plainOf)(part)] as const)
    )
  }
}
