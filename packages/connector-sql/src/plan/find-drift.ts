import type { Sql } from '../sql.ts'
import { type Column, isRequired } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableDesign } from './define-table.ts'
import type { ColumnTypes } from '../table/column-types.ts'
import type { StoredColumn } from '../table/stored-columns.ts'

/** An existing column, and the model's requirement. */
export interface FoundColumn {
  readonly column: Column
  readonly existing: StoredColumn
  readonly wanted: string
  /** The model requires it to be not null. */
  readonly isWanted: boolean
}

/** The differences between a column and its property: those that can be fixed without losing data, and those only reported. */
export interface Drift {
  readonly change?: Sql | undefined
  readonly notes: readonly string[]
}

/** What a type holds, or the type itself where that says nothing. A list counts as its items. */
function familyOf(types: ColumnTypes, type: string): string {
  const plain = types.normal(type).replace(/(?:\[\])+$/, '')
  return types.of(plain).kind ?? plain
}

/** Values of these are read out of columns of numbers and texts as well, as other programs make them. */
const readFromAny: ReadonlySet<string> = new Set(['boolean', 'json', 'point'])

/** The model names more than a type: then another column is required. */
function isExplicit({ mapping, property }: Column): boolean {
  const { dataType, dataLength, dataPrecision } = mapping
  return [dataType, dataLength, dataPrecision, property.definition.length].some((each) => each !== undefined)
}

function differs(types: ColumnTypes, { column, existing, wanted }: FoundColumn): boolean {
  if (types.normal(wanted) === types.normal(existing.type)) return false
  const [one, other] = [familyOf(types, wanted), familyOf(types, existing.baseType)]
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
 * Compares a column of the database with the model's requirements. Longer strings lose nothing; other type changes are not
 * made.
 */
export function findDrift({ dialect, table }: TableDesign, found: FoundColumn): Drift {
  const { schema, types } = dialect
  const { column, existing, wanted } = found
  const notes = [...requiredNotes(table, found), ...defaultNotes(table, found)]
  const [normal, had] = [types.normal(wanted), types.normal(existing.type)]
  const [length, hadLength] = [lengthOf(normal), lengthOf(had)]
  if (!differs(types, found)) {
    const isShort =
      hadLength !== undefined && length === undefined && schema.defaultLengths?.includes(hadLength) === false
    const why = `the column ${column.name} of ${table.name} is ${had}, but ${table.model.name} sets no length: longer strings are refused`
    return { notes: isShort && column.declared === undefined && column.kind === 'text' ? [...notes, why] : notes }
  }
  const isLonger = length !== undefined && hadLength !== undefined && length > hadLength
  const change =
    isLonger || hasMoreDigits(normal, had) ? schema.changeType?.(table, column, wanted, existing) : undefined
  if (change !== undefined) return { change, notes }
  const note = `the column ${column.name} of ${table.name} is ${had}, but ${table.model.name} requires ${normal}: migrations do not change types`
  return { notes: [...notes, note] }
}

function requiredNotes(table: SqlTable, { column, existing, isWanted }: FoundColumn): readonly string[] {
  const { isRequired: mayNotBeNull, hasDefault } = existing
  if (column.declared !== undefined || column.property.id || isRequired(column) === mayNotBeNull) return []
  if (!mayNotBeNull) return isWanted ? [mayBeNull(table, column)] : []
  const refused = hasDefault ? 'null is refused' : 'records without it are refused'
  return [
    `the column ${column.name} of ${table.name} is not null, but ${table.model.name} does not require it: ${refused}`
  ]
}

/** The note that a property which is not nullable may be null in records. */
export function mayBeNull(table: SqlTable, column: Column): string {
  return `the column ${column.name} of ${table.name} may be null, but ${table.model.name}.${column.property.name} is not nullable: existing records may have no value`
}

/** The note that records which are older than a property have no value, since the database cannot make its default. */
export function noValue(table: SqlTable, column: Column): string {
  return `the column ${column.name} of ${table.name} is null in existing records: the database cannot generate the default of ${table.model.name}.${column.property.name}`
}

/** The note that a column has another default than its property, which the database cannot change. */
export function otherDefault(
  table: SqlTable,
  { name, property }: Column,
  { wanted, former }: { readonly wanted: string; readonly former: string }
): string {
  return `the column ${name} of ${table.name} has the default ${former}, but that of ${table.model.name}.${property.name} is ${wanted}: the database cannot change it`
}

/** What a record leaves out is left to the column. */
function defaultNotes(table: SqlTable, { column, existing }: FoundColumn): readonly string[] {
  const { property, declared } = column
  const { default: written, defaultFn } = property.definition
  const isOwn = existing.hasOwnDefault && declared === undefined && !property.id && !isRequired(column)
  if (!isOwn || written !== undefined || defaultFn !== undefined) return []
  return [
    `the column ${column.name} of ${table.name} has a default, but ${table.model.name} does not: records without a value get it`
  ]
}
