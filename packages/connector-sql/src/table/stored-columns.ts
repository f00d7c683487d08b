import { type DatabaseFact, wideTexts } from '@modelwire/core/connector'
import type { RawRow } from '../sql.ts'
import { type Column, type ExactText, exactType } from './column.ts'
import type { ColumnType, ColumnTypes } from './column-types.ts'
import { fitOf } from './column-fit.ts'
import { type SqlTable, withColumns } from './sql-table.ts'

/** A column of a table in the database. */
export interface StoredColumn {
  readonly name: string
  /** As written by the database. */
  readonly type: string
  /** The underlying type, which differs for named types. */
  readonly baseType: string
  /** The column is not null. */
  readonly isRequired: boolean
  /** It has a default, possibly a counter. */
  readonly hasDefault: boolean
  /** The default is a chosen value: the database neither counts nor computes it. */
  readonly hasOwnDefault: boolean
  /** A default that is a chosen value, in SQL; empty if there is none. */
  readonly defaultText: string
  /** The database computes its values: they cannot be written. */
  readonly isComputed: boolean
  /** Part of the primary key. */
  readonly isKey: boolean
  /** The collation of strings, if keys must share one. */
  readonly collation: string
  /** What treats different strings in it as equal; empty if nothing does. */
  readonly wide: string
  /** What may do so; empty if nothing may. */
  readonly mayBeWide: string
  /** An index that starts with it has nulls in the database's default position, such as those of other programs. */
  readonly isPlainlyIndexed: boolean
  /** The words of an enumeration; undefined for another type. */
  readonly words: readonly string[] | undefined
  /** The rest of its definition, needed when its type changes. */
  readonly rest: string
}

/** The columns of a table in the database, by name. */
export type StoredColumns = ReadonlyMap<string, StoredColumn>

/** Reads the rows of `catalog.listColumns`. */
export function readStoredColumns(rows: readonly RawRow[]): StoredColumns {
  return new Map(rows.map((row) => [String(row['name']), readColumn(row)]))
}

function readColumn(row: RawRow): StoredColumn {
  const textOf = (name: string): string => String(row[name] ?? '')
  const isTrue = (name: string): boolean => Boolean(Number(row[name] ?? 0))
  return {
    name: textOf('name'),
    type: textOf('type'),
    baseType: textOf('base_type') || textOf('type'),
    isRequired: isTrue('is_required'),
    hasDefault: isTrue('has_default'),
    hasOwnDefault: Number(row['has_default']) === 1,
    defaultText: textOf('default_text'),
    isComputed: isTrue('is_computed'),
    isKey: isTrue('is_key'),
    collation: textOf('collation'),
    wide: textOf('wide'),
    mayBeWide: textOf('may_be_wide'),
    isPlainlyIndexed: isTrue('is_plainly_indexed'),
    words: readWords(row['words']),
    rest: textOf('rest')
  }
}

/** The words of an enumeration, from a list in JSON. */
export function readWords(list: unknown): readonly string[] | undefined {
  const words: unknown = typeof list === 'string' ? JSON.parse(list) : undefined
  return Array.isArray(words) ? words.map(String) : undefined
}

const ownTypes = new WeakMap<StoredColumn, ColumnType>()

/** The type of a column. That of an enumeration compares its own words, as far as they are known; strings have their characters. */
export function typeOf(types: ColumnTypes, stored: StoredColumn): ColumnType {
  const { baseType, words, collation } = stored
  const holds = types.holdsIn?.(collation)
  if (words === undefined && holds === undefined) return types.of(baseType)
  const known = ownTypes.get(stored)
  if (known !== undefined) return known
  const own = words && new Set(words)
  const type = {
    ...types.of(baseType),
    ...(own && { isOwnForm: (text: string) => own.has(text) }),
    ...(holds && { holds })
  }
  ownTypes.set(stored, type)
  return type
}

/** Equal for columns whose keys can be compared: starts with `number`, or with `text` if those in JSON can be, too. */
export function keyClass(types: ColumnTypes, { baseType, collation }: StoredColumn): string {
  return `${types.of(baseType).keys ?? types.normal(baseType)} ${collation}`.trim()
}

const isWide = (column: Column, stored: StoredColumn | undefined): stored is StoredColumn =>
  column.kind === 'text' && stored !== undefined && (stored.wide || stored.mayBeWide) !== ''

/** The string columns that are not compared exactly. */
export const wideColumns = (
  { columns }: SqlTable,
  stored: StoredColumns
): readonly { readonly column: Column; readonly stored: StoredColumn }[] =>
  columns.flatMap((column) => {
    const found = stored.get(column.name)
    return isWide(column, found) ? [{ column, stored: found }] : []
  })

/** What does not work between a property and its column. */
function unfitFact(
  table: SqlTable,
  types: ColumnTypes,
  column: Column,
  stored: StoredColumn | undefined
): readonly DatabaseFact[] {
  if (stored === undefined) return []
  const { model, name } = table
  const { why, advice = '' } = fitOf(typeOf(types, stored), withType(table, column, types, stored).kind)
  if (why === undefined) return []
  const { property } = column
  const reason = `the column ${name}.${column.name} is of the type ${stored.type}, which ${why}: the property is declared as "${property.type.kind}"`
  return [{ model: model.name, property: property.name, effect: 'differs', reason, advice }]
}

/** The column with its type in the database. Strings of exact numbers are compared as numbers, and natively no number is rounded. */
function withType({ model }: SqlTable, column: Column, types: ColumnTypes, stored: StoredColumn): Column {
  const type = typeOf(types, stored)
  const { property, kind } = column
  if (type.digits === undefined || type.comparesAny === true || property.type.kind === 'dateString')
    return { ...column, type }
  const exact = exactType(type, { dataType: stored.type })
  if (kind === 'text') return { ...column, type, kind: 'decimal', exact }
  const isKept = kind !== 'number' || column.exact !== undefined || model.registry.rules.coercesLoosely
  return isKept ? { ...column, type } : { ...column, type, exact }
}

/** Columns that the database computes or fills, and whose properties are declared as if it did not. */
function filledFacts({ model, name, columns }: SqlTable, found: StoredColumns): readonly DatabaseFact[] {
  return columns.flatMap(({ name: columnName, property, declared }): DatabaseFact[] => {
    const stored = found.get(columnName)
    if (stored === undefined || declared !== undefined || property.id || property.generated) return []
    const fact = { model: model.name, property: property.name, effect: 'info' } as const
    const column = `the column ${name}.${columnName}`
    if (stored.isComputed)
      return [
        {
          ...fact,
          reason: `the database computes ${column}: values that are sent are not stored`,
          advice: 'declare the property with "generated": true'
        }
      ]
    if (!stored.hasDefault || !property.required || property.makeDefault !== undefined) return []
    const reason = `${column} has a default in the database, but records without a value are refused: the property is required`
    return [{ ...fact, reason, advice: 'leave out "required"' }]
  })
}

/** What an application should know about a table, from its columns in the database; empty if it does not exist. */
export function factsOf(table: SqlTable, types: ColumnTypes, found: StoredColumns): readonly DatabaseFact[] {
  const { model, name, undeclared } = table
  const unfit = table.columns.flatMap((column) => unfitFact(table, types, column, found.get(column.name)))
  const filled = filledFacts(table, found)
  const wide = wideColumns(table, found).map(({ column, stored }) =>
    wideTexts.fact(model.name, `the column ${name}.${column.name} (${stored.wide || stored.mayBeWide})`, {
      property: column.property.name,
      isCertain: stored.wide !== ''
    })
  )
  const rest = restOfKey(table, found)
  const known = [...unfit, ...filled, ...wide, ...(rest === undefined ? [] : [partialKeyFact(table, rest)])]
  if (undeclared === undefined || found.size === 0 || found.has(undeclared.name)) return known
  const reason = `the table ${name} has no column "${undeclared.name}" for undeclared properties, which are not stored`
  const advice = 'let a migration add the column, or set "strict": true, which refuses them'
  return [...known, { model: model.name, effect: 'info', reason, advice }]
}

/** True if a column may store another value than the written one. */
function mayChange(column: Column, type: ColumnType, written: string): boolean {
  const { kind, declared, exact, property } = column
  if (declared !== undefined || column.isComputed === true) return declared === undefined
  const isOfKind = type.kind === kind || (kind === 'json' && type.isText === true)
  // Keys of relations are whole numbers.
  const isRounded = type.digits === 'whole' && kind === 'number' && property.definition.refersTo === undefined
  return !isOfKind || type.keeps?.test(written) !== true || (isRounded && exact === undefined)
}

/** How many characters a string may have; databases cut off spaces beyond that, as application folders expect. */
function longestIn({ model }: SqlTable, type: ColumnType, written: string): number | undefined {
  // A database that takes any value in any column takes strings of any length.
  const isLimited = type.isText === true && type.comparesAny !== true && !model.registry.rules.cutsOffSpaces
  const length = isLimited ? /\((\d+)\)/.exec(written)?.[1] : undefined
  return length === undefined ? undefined : Number(length)
}

/**
 * The table with the columns' state in the database: their types, their indexes, what it does with their values, and whether
 * their strings must be compared exactly, which is assumed if unknown.
 */
export function withStored(
  table: SqlTable,
  { exactText, types }: { readonly exactText: ExactText; readonly types: ColumnTypes },
  found: StoredColumns | undefined
): SqlTable {
  const partialKey = found && restOfKey(table, found)
  const changing: Column[] = []
  const known = withColumns(table, (column) => {
    const stored = found?.get(column.name)
    if (stored === undefined) return column.kind === 'text' ? { ...column, exactly: exactText } : column
    const own = withType(table, column, types, stored)
    const { type = types.of(stored.baseType) } = own
    const written = types.normal(stored.type)
    const read: Column = {
      ...own,
      isComputed: stored.isComputed && !column.property.id,
      fillsItself: stored.isRequired && stored.hasDefault && !column.property.id,
      longest: longestIn(table, type, written),
      isKnown: true,
      isText: own.kind === 'text' && own.type?.isText === true,
      isPlainlyIndexed: stored.isPlainlyIndexed,
      hasDefault: stored.isRequired || stored.hasDefault,
      ...(isWide(own, stored) && { exactly: exactText })
    }
    if (mayChange(read, type, written)) changing.push(read)
    return read
  })
  const { showsSent } = table.model.registry.rules
  return { ...known, changing: showsSent ? [] : changing, ...(partialKey !== undefined && { partialKey }) }
}

/** The columns of the primary key without the id's; undefined if that is all of it. In a cluster the id may be one part. */
export function restOfKey({ key, distributedBy }: SqlTable, found: StoredColumns): readonly string[] | undefined {
  const names = [...found.values()].filter(({ isKey }) => isKey).map(({ name }) => name)
  const own = key.map(({ name }) => name)
  const isPart = distributedBy === undefined && names.length > own.length && own.every((name) => names.includes(name))
  return own.length > 0 && isPart ? names.filter((name) => !own.includes(name)) : undefined
}

/** What is known of writes to a table whose primary key has more columns than the id. */
export function partialKeyFact({ model, name, id }: SqlTable, rest: readonly string[]): DatabaseFact {
  const isRefused = !model.registry.rules.changesAllOfId
  const effect = isRefused
    ? 'are refused (409 KEY_INCOMPLETE) where several records have it'
    : 'change all records that have it'
  return {
    model: model.name,
    ...(id !== undefined && { property: id.property.name }),
    effect: 'differs',
    reason: `the primary key of the table ${name} also has ${rest.join(', ')}: writes by id ${effect}`,
    advice: 'write with a condition that names all columns of the key, or give the table an id of its own'
  }
}
