import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { isRequired, type TableDesign } from './define-table.ts'
import type { ExistingColumn } from './table-state.ts'

/** A column that is there, and what the model requires. */
export interface FoundColumn {
  readonly column: Column
  readonly existing: ExistingColumn
  readonly wanted: string
  /** It must not be null. */
  readonly isWanted: boolean
}

/**
 * What differs between a column and its property: what can be changed without losing anything, and what is only
 * reported.
 */
export interface Drift {
  readonly change?: Sql | undefined
  readonly notes: readonly string[]
}

const families: readonly (readonly [RegExp, string])[] = [
  [/bool|^tinyint\(1\)|^bit/, 'boolean'],
  [/json/, 'json'],
  [/point|geometry/, 'point'],
  [/char|text|clob|uuid|enum/, 'text'],
  [/date|time/, 'date'],
  [/int|serial|numeric|decimal|double|float|real|number/, 'number'],
  [/blob|binary|bytea/, 'binary']
]

const familyOf = (type: string): string => families.find(([pattern]) => pattern.test(type))?.[1] ?? type

/** Values of these are read out of columns of numbers and texts as well, as other programs make them. */
const readFromAny: ReadonlySet<string> = new Set(['boolean', 'json', 'point'])

/** The model names more than a type: then another column is required. */
function isExplicit({ mapping, property }: Column): boolean {
  const { dataType, dataLength, dataPrecision } = mapping
  return [dataType, dataLength, dataPrecision, property.definition.length].some((each) => each !== undefined)
}

function differs(column: Column, wanted: string, existing: string): boolean {
  if (wanted === existing) return false
  const [one, other] = [familyOf(wanted), familyOf(existing)]
  return isExplicit(column) || (one !== other && !readFromAny.has(one))
}

/** How many characters a text of the type may have; undefined for another type. */
function lengthOf(type: string): number | undefined {
  const length = /^(?:varchar|character varying)\((\d+)\)$/.exec(type)?.[1]
  return length === undefined ? undefined : Number(length)
}

/** All exact numbers of the one type are numbers of the other. */
function hasMoreDigits(wanted: string, existing: string): boolean {
  const [type, digits, scale] = digitsOf(wanted)
  const [hadType, hadDigits, hadScale] = digitsOf(existing)
  return type !== undefined && type === hadType && scale >= hadScale && digits - scale >= hadDigits - hadScale
}

function digitsOf(type: string): readonly [type: string | undefined, digits: number, scale: number] {
  const [, name, digits, scale] = /^(numeric|decimal)\((\d+),(\d+)\)$/.exec(type) ?? []
  return [name, Number(digits), Number(scale)]
}

/**
 * Compares a column of the database with what the model requires. A longer text loses nothing; other types are left
 * alone.
 */
export function findDrift({ dialect, table }: TableDesign, found: FoundColumn): Drift {
  const { schema } = dialect
  const { column, existing, wanted } = found
  const notes = [...requiredNotes(table, found), ...defaultNotes(table, found)]
  const [normal, had] = [schema.normalType(wanted), schema.normalType(existing.type)]
  const [length, hadLength] = [lengthOf(normal), lengthOf(had)]
  if (!differs(column, normal, had)) {
    const isShort =
      hadLength !== undefined && length === undefined && schema.defaultLengths?.includes(hadLength) === false
    const why = `the column ${column.name} of ${table.name} is ${had}, and ${table.model.name} has no length: longer texts are refused`
    return { notes: isShort && column.declared === undefined && column.kind === 'text' ? [...notes, why] : notes }
  }
  const isLonger = length !== undefined && hadLength !== undefined && length > hadLength
  const change =
    isLonger || hasMoreDigits(normal, had) ? schema.changeType?.(table, column, wanted, existing) : undefined
  if (change !== undefined) return { change, notes }
  const note = `the column ${column.name} of ${table.name} is ${had}, and ${table.model.name} asks for ${normal}: migrations do not change types`
  return { notes: [...notes, note] }
}

function requiredNotes(table: SqlTable, { column, existing, isWanted }: FoundColumn): readonly string[] {
  const { isRequired: mayNotBeNull, hasDefault } = existing
  if (column.declared !== undefined || column.property.id || isRequired(column) === mayNotBeNull) return []
  if (!mayNotBeNull) return isWanted ? [mayBeNull(table, column)] : []
  const refused = hasDefault ? 'null is refused' : 'records without it are refused'
  return [
    `the column ${column.name} of ${table.name} must not be null, and ${table.model.name} does not require it: ${refused}`
  ]
}

/** The note that a required property may be missing in records. */
export function mayBeNull(table: SqlTable, column: Column): string {
  return `the column ${column.name} of ${table.name} may be null, though ${table.model.name} requires it: records that are there may lack it`
}

/** What a record leaves out is left to the column. */
function defaultNotes(table: SqlTable, { column, existing }: FoundColumn): readonly string[] {
  const { property, declared } = column
  const { default: written, defaultFn } = property.definition
  const isOwn = existing.hasOwnDefault && declared === undefined && !property.id && !isRequired(column)
  if (!isOwn || written !== undefined || defaultFn !== undefined) return []
  return [
    `the column ${column.name} of ${table.name} has a default, and ${table.model.name} has none: records without a value have that one`
  ]
}
