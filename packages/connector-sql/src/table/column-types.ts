import type { Sql } from '../sql.ts'

/** How a column stores its values, depending on a property's type. `decimal`: exact numbers, which are strings in the model. */
export type ColumnKind = 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'binary' | 'point' | 'json'

/** What migrations create columns for: values of a kind, integers, and strings of a length. */
export type MadeFor = ColumnKind | 'integer' | 'counted'

/** A column type of a database, and its characteristics. */
export interface ColumnType {
  /** The database's own name, without lengths; absent if it is the written one. */
  readonly name?: string
  /** The spellings of the type, in lower case, with lengths. If several types match, the first one counts. */
  readonly written: RegExp
  /** Properties of this kind can have it without a note in migrations; absent: none. */
  readonly kind?: ColumnKind
  /** The property type that discovery declares. Default: that of the kind, or a string. */
  readonly discovered?: string
  /** What migrations use it for, if the model file names no type. */
  readonly makes?: MadeFor
  /** As written by migrations, with `(n)` for a length. Default: its name. */
  readonly made?: string
  /** Migrations use it for columns that refer to an auto-increment id. */
  readonly counts?: true
  /** Its strings support order and patterns: values of other types are cast first. */
  readonly isText?: true
  /** The string that is read for its values. Default: what the database casts them to. */
  readonly text?: (value: Sql) => Sql
  /**
   * True for a string that the type itself compares: the form in which the database writes a value, or another one of the same
   * value. Other strings, and all of them if this is absent, are compared with the strings of the values.
   */
  readonly isOwnForm?: (text: string) => boolean
  /** Its order is that of its strings by code point, so that its indexes serve orders and ranges. */
  readonly ordersAsText?: true
  /** Its values are lists of values of this type. */
  readonly items?: ColumnType
  /** Its strings are compared with dates as JavaScript writes these: `2020-01-31T12:30:00.000Z`. */
  readonly datesAsText?: true
  /** Why its values cannot be written; absent if they can. */
  readonly readOnly?: string
  /** The database converts values of other types that are compared with it. */
  readonly comparesAny?: true
  /** Its values in a form that properties of another kind are compared with, in conditions and orders. */
  readonly comparedAs?: Readonly<Partial<Record<ColumnKind, (value: Sql) => Sql>>>
  /** True for values of it that are read as null. */
  readonly absent?: (value: Sql) => Sql
  /** The driver has the bytes of its numbers. */
  readonly isBits?: true
  /** The driver has objects for its values, which are not strings. */
  readonly holdsObjects?: true
  /** Its numbers are exact: integers, or with decimal places. */
  readonly digits?: 'whole' | 'decimal'
  /** The length that migrations write if the model file has none, so that nothing is rounded. */
  readonly size?: string
  /** Whether a string can equal a value of it; absent: every one. */
  readonly holds?: (text: string) => boolean
  /** Columns whose type is written like this keep values of its kind as they are; absent: they may store others. */
  readonly keeps?: RegExp
  /** Keys of all such types can be compared; absent: only with those of the same type. */
  readonly keys?: 'number' | 'text'
  /** Its default can be the current time. */
  readonly hasNow?: true
  /** Indexes contain only prefixes of its values, unless they are unique. */
  readonly isLong?: true
  /** The form in which columns are logged, which JSON preserves; absent: the database's usual form. */
  readonly logged?: (value: Sql, kind: ColumnKind) => Sql
}

/** The column types of a database, for reading, conditions, orders, discovery and migrations. */
export interface ColumnTypes {
  /** The column type with this name in a catalog or a model file; one without characteristics if it is unknown. */
  readonly of: (written: string) => ColumnType
  /** Normalizes a type: equal types have equal results. */
  readonly normal: (written: string) => string
  /** The type that migrations use; undefined if the database has none. */
  readonly madeFor: (use: MadeFor) => ColumnType | undefined
  /** The length of a string in a key whose property sets none; absent if it needs none. */
  readonly keyLength?: number | undefined
  /** Whether columns of a collation hold a string; undefined if they hold all of them. */
  readonly holdsIn?: ((collation: string) => ((text: string) => boolean) | undefined) | undefined
}

/** The parts of a written type: `decimal(9, 2) unsigned`. */
interface TypeParts {
  readonly name: string
  /** With its parentheses; empty if there is none. */
  readonly size: string
  /** With the leading space. */
  readonly rest: string
}

/** How a database writes types. */
interface TypeSpelling {
  /** Puts the parts of a type together, as the database does it. */
  readonly spell: (parts: TypeParts, type: ColumnType) => string
  readonly keyLength?: number
  /** Whether columns of a collation hold a string; undefined if they hold all of them. */
  readonly holdsIn?: ColumnTypes['holdsIn']
  /** The database converts values of different types that are compared. */
  readonly comparesAny?: true
  /** The characteristics of lists of a type, written `type[]`; absent if the database has none. */
  readonly listOf?: (items: ColumnType) => Partial<ColumnType>
}

/** The brackets of a list's type. */
const brackets = /(?:\[\d*\])+$/

/** Makes a table of types. */
export function columnTypes(rows: readonly ColumnType[], spelling: TypeSpelling): ColumnTypes {
  const { spell, keyLength, listOf, comparesAny, holdsIn } = spelling
  const types = comparesAny === true ? rows.map((row) => ({ ...row, comparesAny })) : rows
  const unknown: ColumnType = { written: /^/, ...(comparesAny && { comparesAny }) }
  const find = (text: string): ColumnType => types.find(({ written }) => written.test(text)) ?? unknown
  const of = keepByName((written) => {
    const text = tidy(written)
    const items = find(text.replace(brackets, ''))
    return listOf === undefined || !brackets.test(text)
      ? items
      : { written: /^/, kind: 'json', ...listOf(items), items }
  })
  const normal = (written: string): string => {
    const text = tidy(written)
    return listOf !== undefined && brackets.test(text)
      ? `${normalScalar(text.replace(brackets, ''))}[]`
      : normalScalar(text)
  }
  const normalScalar = (text: string): string => {
    const [, name = text, size = '', rest = ''] =
      /^([^(]+?)(\([^)]*\))?( (?:with|unsigned|zerofill).*)?$/.exec(text) ?? []
    return spell({ name, size, rest }, find(`${name}${rest}`))
  }
  return {
    of,
    normal,
    madeFor: (use) => types.find(({ makes }) => makes === use),
    keyLength,
    holdsIn
  }
}

/** The same text gives the same object: statements are compiled for it. Catalogs have few types. */
function keepByName(make: (written: string) => ColumnType): (written: string) => ColumnType {
  const made = new Map<string, ColumnType>()
  return (written) => {
    const cached = made.get(written)
    if (cached !== undefined) return cached
    const type = make(written)
    made.set(written, type)
    return type
  }
}

const tidy = (written: string): string =>
  written
    .toLowerCase()
    .replace(/ collate .*$/, '')
    .replaceAll(/ ?([(,]) ?/g, '$1')
    .trim()

/** The type as written by migrations. */
export const writeType = ({ name = '', made = name.toUpperCase() }: ColumnType, length: unknown = ''): string =>
  made.replace('(n)', `(${String(length)})`)

/** What a property of a column declares that holds objects. */
export const objectAdvice = 'declare the property as "geopoint" where they are points, or else as "any"'

const discoveredTypes: Readonly<Record<MadeFor, string>> = {
  text: 'string',
  counted: 'string',
  number: 'number',
  integer: 'integer',
  decimal: 'string',
  boolean: 'boolean',
  date: 'date',
  binary: 'buffer',
  point: 'geopoint',
  json: 'any'
}

/** The property type for the values of a column: that of a list contains the type of its items. */
export const discoveredType = ({ discovered, kind = 'text', items }: ColumnType): string | readonly [string] =>
  items === undefined ? (discovered ?? discoveredTypes[kind]) : [itemType(items)]

const itemType = ({ discovered, kind = 'text' }: ColumnType): string => discovered ?? discoveredTypes[kind]

/** A column in the catalog. */
interface FoundType {
  readonly dataType: string
  readonly length: number | null
  /** Part of a key or an index. */
  readonly isKey: boolean
}

/** True if migrations use this type by default for the property that discovery declares. */
export function isMadeByDefault(types: ColumnTypes, { dataType, length, isKey }: FoundType): boolean {
  const type = types.of(dataType)
  if (type.name === undefined || types.normal(dataType) !== types.normal(type.name)) return false
  if (isKey && type.counts === true) return true
  const isCounted = type.makes === 'counted'
  return (
    type.makes !== undefined && discoveredTypes[type.makes] === discoveredType(type) && isCounted === (length !== null)
  )
}
