import { readNumber } from './read-number.ts'
import type { ColumnKind } from '../table/column-kind.ts'

/**
 * The value that a driver returned for a column of this kind, in the type that the property declares. Existing tables may
 * hold it in another type: numbers as text, booleans as 0 and 1 or `Y` and `N`, JSON in a column of texts.
 */
export function decodeValue(kind: ColumnKind, value: unknown): unknown {
  return decoders[kind](value)
}

const decoders: Readonly<Record<ColumnKind, (value: unknown) => unknown>> = {
  text: decodeText,
  number: (value) => (typeof value === 'number' ? value : readNumber(String(value))),
  decimal: String,
  boolean: decodeBoolean,
  date: (value) => (value instanceof Date ? value : readDate(value)),
  binary: decodeBinary,
  point: decodeJson,
  json: decodeJson
}

function decodeText(value: unknown): unknown {
  if (typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : String(value)
}

function decodeBinary(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof ArrayBuffer || value instanceof Uint8Array) return Buffer.from(new Uint8Array(value))
  return typeof value === 'string' ? Buffer.from(value) : value
}

function decodeBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  // MySQL's BIT(1)
  if (value instanceof Uint8Array) return value[0] === 1
  return typeof value === 'string' ? /^[yt1]/i.test(value) : Number(value) !== 0
}

/** A date without a zone is one of UTC, as SQLite's own functions write it. */
function readDate(value: unknown): unknown {
  if (typeof value === 'number') return new Date(value)
  const text = String(value)
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return new Date(Number(text))
  const date = new Date(
    /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
  )
  return Number.isNaN(date.getTime()) ? value : date
}

/** Columns that other programs fill may hold texts that are not valid JSON. */
function decodeJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
