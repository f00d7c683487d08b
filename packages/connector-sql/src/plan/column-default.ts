import { countDigits, readDate } from '@modelwire/core/connector'
import { isDeepStrictEqual } from 'node:util'
import type { SqlDialect } from '../dialect/dialect.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { ColumnKind } from '../table/column-types.ts'

/** The values of existing records in a new column: a default of the column itself, or a value that is written into them. */
export interface ColumnDefault {
  readonly literal?: string | undefined
  readonly value?: Sql | undefined
}

/** The table of a column. */
interface Place {
  readonly dialect: SqlDialect
  readonly table: SqlTable
}

/** The default of a property in a form that the database accepts; empty if there is none, or it differs for each record. */
export function columnDefault({ dialect, table }: Place, column: Column, type: string): ColumnDefault {
  const { schema, types } = dialect
  const { property, kind } = column
  if (isPresentTime(column)) {
    if (kind !== 'date') return {}
    const literal = schema.now?.(type)
    return literal === undefined ? { value: schema.presentTime } : { literal }
  }
  const written = constantOf(column)
  const { holds, isText } = types.of(type)
  const isHeld = holds === undefined || holds(String(written))
  const fits = isText !== true || Array.from(String(written)).length <= lengthIn(type)
  return property.id || written === undefined || !isHeld || !fits || isList.test(type)
    ? {}
    : { literal: schema.literal(kind, asMoment(table, kind, written)) }
}

/** The default that a new column has in each record: the present time is that of the migration. */
export const constantDefault = (place: Place, column: Column, type: string): string | undefined =>
  isPresentTime(column) ? undefined : columnDefault(place, column, type).literal

const asMoment = ({ model }: SqlTable, kind: ColumnKind, written: unknown): unknown =>
  kind === 'date' && typeof written === 'string' ? readDate(written, model.registry.rules.readsDatesInZone) : written

/** Lists of a database have literals of their own. */
const isList = /\[\]$|^array\b/i

const lengthIn = (type: string): number => Number(/\((\d+)\)/.exec(type)?.[1] ?? Infinity)

const isPresentTime = ({ property: { definition }, kind }: Column): boolean =>
  definition.defaultFn === 'now' || (kind === 'date' && definition.default === '$now')

/** The value that all records without one get; undefined if there is none. */
function constantOf({ property: { definition, makeDefault } }: Column): unknown {
  const { default: written, defaultFn } = definition
  if (makeDefault === undefined || defaultFn !== undefined || typeof written === 'function') return undefined
  return written ?? undefined
}

/** The default of an existing column is certainly another one. What is not a plain literal counts as equal. */
export function hasOtherDefault(kind: ColumnKind, wanted: string, existing: string): boolean {
  const [one, other] = [valueOf(kind, wanted), valueOf(kind, existing)]
  return one !== undefined && other !== undefined && !isDeepStrictEqual(one, other)
}

/** `'text'`, a number or a word, possibly within parentheses, with a character set, and cast. Escapes differ too much to be read. */
const literal = /^\(*\s*(?:_\w+\s*)?(?:'((?:[^'\\]|'')*)'|([-\w.+]+))\s*(?:::[\w\s"().,]+)?\)*$/

/** The value of a literal, in a form that can be compared; undefined if it is none. */
function valueOf(kind: ColumnKind, text: string): unknown {
  const [, quoted, word] = literal.exec(text) ?? []
  // A word is a string of none, but may be a function.
  const value = quoted?.replaceAll("''", "'") ?? (kind === 'text' ? undefined : word)
  return value === undefined ? undefined : readers[kind]?.(value)
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false]
])

const numberOf = (text: string): unknown => (countDigits(text) === undefined ? undefined : Number(text))

const readers: Readonly<Partial<Record<ColumnKind, (text: string) => unknown>>> = {
  text: (text) => text,
  number: numberOf,
  decimal: numberOf,
  boolean: (text) => booleans.get(text.toLowerCase())
}
