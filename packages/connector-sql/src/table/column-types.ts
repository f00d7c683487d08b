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
  /** Its values support neither equality nor order: their strings are compared. */
  readonly isOpaque?: true
  /** The driver has objects for its values, which are not strings. */
  readonly holdsObjects?: true
  /** Its numbers are exact: integers, or with decimal places. */
  readonly digits?: 'whole' | 'decimal'
  /** The length that migrations write if the model file has none, so that nothing is rounded. */
  readonly size?: string
  /** Whether a string can be a value of it; absent: every one. */
  readonly holds?: (text: string) => boolean
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
}

/** The parts of a written type: `decimal(9, 2) unsigned`. */
interface TypeParts {
  readonly name: string
  /** With its parentheses; empty if there is none. */
  readonly size: string
  /** With the leading space. */
  readonly rest: string
}

/**
 * Makes a table of types.
 * @param spell puts the parts of a type together, as the database does it
 */
export function columnTypes(
  types: readonly ColumnType[],
  { spell, keyLength }: { spell: (parts: TypeParts, type: ColumnType) => string; keyLength?: number }
): ColumnTypes {
  const unknown: ColumnType = { written: /^/ }
  const find = (text: string): ColumnType => types.find(({ written }) => written.test(text)) ?? unknown
  const of = (written: string): ColumnType => find(tidy(written))
  return {
    of,
    normal: (written) => {
      const text = tidy(written)
      const [, name = text, size = '', rest = ''] =
        /^([^(]+?)(\([^)]*\))?( (?:with|unsigned|zerofill).*)?$/.exec(text) ?? []
      return spell({ name, size, rest }, find(`${name}${rest}`))
    },
    madeFor: (use) => types.find(({ makes }) => makes === use),
    keyLength
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

/** The property type for the values of a column. */
export const discoveredType = ({ discovered, kind = 'text' }: ColumnType): string => discovered ?? discoveredTypes[kind]

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
