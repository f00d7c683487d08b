import type { SqlDialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'

/** What records that are there have in a new column: a default of the column itself, or a value that is written into them. */
export interface ColumnDefault {
  readonly literal?: string | undefined
  readonly value?: Sql | undefined
}

/** The default of a required property as the database can have it; empty where there is none, or one that is made anew for each record. */
export function columnDefault({ schema }: SqlDialect, { property, kind }: Column, type: string): ColumnDefault {
  const { default: written, defaultFn } = property.definition
  if (defaultFn === 'now' || (kind === 'date' && written === '$now')) {
    if (kind !== 'date') return {}
    const literal = schema.now?.(type)
    return literal === undefined ? { value: schema.presentTime } : { literal }
  }
  const isMade = defaultFn !== undefined || written === undefined || written === null || typeof written === 'function'
  return isMade ? {} : { literal: schema.literal(kind, written) }
}

/** Literals that all databases write alike: numbers, and texts without backslashes. Undefined for others. */
export function plainLiteral(kind: Column['kind'], value: unknown): string | undefined {
  if (kind === 'number' || kind === 'decimal') return numberLiteral(value)
  if (kind === 'boolean') return typeof value === 'boolean' ? String(value) : undefined
  if (kind === 'json') return textLiteral(JSON.stringify(value))
  return kind === 'text' && (typeof value === 'string' || typeof value === 'number')
    ? textLiteral(String(value))
    : undefined
}

function numberLiteral(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? text : undefined
}

/** Databases do not agree about backslashes. */
function textLiteral(text: string): string | undefined {
  return text.includes('\\') || text.includes('\0') ? undefined : `'${text.replaceAll("'", "''")}'`
}

/** The moment of a default of a date; undefined for what is none. */
export function momentOf(value: unknown): Date | undefined {
  if (!(value instanceof Date) && typeof value !== 'string' && typeof value !== 'number') return undefined
  const moment = new Date(value)
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : undefined
}
