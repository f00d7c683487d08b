import type { PropertyType, ValueType } from '@modelwire/core/connector'
import type { Sql } from '../sql.ts'
import type { ColumnKind, ColumnType } from './column-types.ts'
import type { Mapping } from './mapping.ts'

/** How many digits the numbers of an exact type have; `whole` and `fraction` are undefined if the type has no limit. */
export interface ExactType {
  /** Digits before the decimal point. */
  readonly whole: number | undefined
  /** Digits after the decimal point. */
  readonly fraction: number | undefined
}

const lengths = /\((\d+)(?:\s*,\s*(\d+))?\)/

const kinds: Readonly<Partial<Record<ValueType['kind'], ColumnKind>>> = {
  string: 'text',
  text: 'text',
  dateString: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  buffer: 'binary',
  geopoint: 'point'
}

/** How strings are compared exactly, whatever their collation. */
export interface ExactText {
  /** The string, or a parameter, in a form that is compared and ordered by code point. */
  readonly text: (text: Sql) => Sql
  /** The string in a form in which patterns distinguish all characters. */
  readonly pattern: (text: Sql) => Sql
}

/** A property and its column. */
export interface Column {
  readonly property: PropertyType
  /** The column's name in the database. */
  readonly name: string
  readonly kind: ColumnKind
  /** The column's type in the database; until that is known, the one that the model file names or migrations use. */
  readonly type?: ColumnType | undefined
  /** Strings of this column are compared by code point. False for types such as uuid, which have no collation. */
  readonly isText: boolean
  /** The model's mapping of the column: `dataType`, `dataLength`, `nullable`, … */
  readonly mapping: Mapping
  /** The quoted name. */
  readonly sql: Sql
  /** The limits of an exact number column, as far as the model declares them. */
  readonly exact?: ExactType | undefined
  /** How its strings are compared exactly; absent if the database does so by default. */
  readonly exactly?: ExactText
  /** The database has confirmed `type`. */
  readonly isKnown?: boolean
  /** An index serves orders without explicit position of nulls; absent if that is unknown, too. */
  readonly isPlainlyIndexed?: boolean
  /** False if rows without a value have null; absent if that is unknown. */
  readonly hasDefault?: boolean
  /** The database computes its values: it is never written. */
  readonly isComputed?: boolean
  /** It may not be null, and the database has a value for rows without one. */
  readonly fillsItself?: boolean
  /** How many characters its strings may have; absent if there is no limit, or others are stored in part without an error. */
  readonly longest?: number | undefined
  /** Only for the column that stores all other properties of an open model, as one object: the columns of the declared ones. */
  readonly declared?: ReadonlyMap<string, Column>
}

/** The kind of column for values of `type`. Lists, objects and values of any type are stored as JSON. */
export function columnKindOf(type: ValueType | undefined): ColumnKind {
  return (type && kinds[type.kind]) ?? 'json'
}

/** The limits of a mapping's type if it is one of exact numbers; undefined for any other one. */
export function exactType(
  { digits }: ColumnType,
  { dataType = '', dataLength, dataPrecision, dataScale }: Mapping
): ExactType | undefined {
  if (digits === undefined) return undefined
  if (digits === 'whole') return { whole: undefined, fraction: 0 }
  const [, written, scale = '0'] = lengths.exec(dataType) ?? []
  const precision = written ?? dataLength ?? dataPrecision
  if (precision === undefined) return { whole: undefined, fraction: undefined }
  const fraction = Number(written === undefined ? (dataScale ?? 0) : scale)
  return { whole: Number(precision) - fraction, fraction }
}

/** True for a column that migrations make `not null`. */
export function isRequired({ property, mapping }: Column): boolean {
  return property.id || (!property.nullable && !property.generated) || isNotNullable(mapping.nullable)
}

function isNotNullable(nullable: unknown): boolean {
  return nullable === false || (typeof nullable === 'string' && /^n/i.test(nullable))
}

/** True if the database generates these ids. */
export function isMadeByDatabase({ property, kind, mapping }: Column): boolean {
  return property.id && property.generated && kind === 'number' && mapping.dataType === undefined
}
