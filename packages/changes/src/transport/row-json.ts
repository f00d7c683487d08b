import type { LogEntry } from '@modelwire/core/connector'
import { isPlainObject, setOwn } from '@modelwire/server'

type Row = LogEntry['row']

/** Values that JSON has no form for are objects with one of these as their only key. */
const kinds: Readonly<Record<string, (text: string) => unknown>> = {
  $date: (text) => new Date(text),
  $bytes: (text) => Buffer.from(text, 'base64'),
  $number: Number,
  $bigint: BigInt,
  $undefined: () => undefined
}

const hasNoJson = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)

function encode(value: unknown): unknown {
  if (value === undefined) return { $undefined: '' }
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value === 'number')
    return hasNoJson(value) ? { $number: Object.is(value, -0) ? '-0' : String(value) } : value
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? '' : value.toISOString() }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return Array.from(value, encode)
  return typeof value === 'object' && value !== null ? encodeMembers(value) : value
}

/** A key of the record's own that begins with `$` gets a second one. */
function encodeMembers(value: object): Record<string, unknown> {
  const encoded: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value))
    setOwn(encoded, key.startsWith('$') ? `$${key}` : key, encode(member))
  return encoded
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (!isPlainObject(value)) return value
  const [[key, text] = [], second] = Object.entries(value)
  const kind = key === undefined || second !== undefined || !Object.hasOwn(kinds, key) ? undefined : kinds[key]
  return kind !== undefined && typeof text === 'string' ? kind(text) : decodeMembers(value)
}

function decodeMembers(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value))
    setOwn(decoded, key.startsWith('$$') ? key.slice(1) : key, decode(member))
  return decoded
}

/**
 * The JSON of a row in a stream of changes: plain JSON, except for values without a JSON form. A date is `{"$date":
 * "2020-02-29T…Z"}`, bytes are `{"$bytes": "AP8="}` in base64; `$number`, `$bigint` and `$undefined` work alike. Keys that
 * begin with `$` are escaped as `$$`.
 */
export const encodeRow = (row: Row): string => JSON.stringify(encodeMembers(row))

/**
 * Decodes the JSON of a row into an equal row.
 * @throws {SyntaxError} it is not JSON
 */
export function decodeRow(text: string): Row {
  const parsed: unknown = JSON.parse(text)
  return isPlainObject(parsed) ? decodeMembers(parsed) : {}
}
