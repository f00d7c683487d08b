import {
  type Condition,
  limitWithin,
  type Filter,
  type OrderClause,
  type AnswerBounds,
  checkRowCount,
  type Row
} from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { allOf, type Sql, sql } from '../sql.ts'
import { columnKindOf, type Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import {
  compileCondition,
  coordinateOf,
  countOf,
  orderByDistance,
  relatedContext,
  type WhereContext
} from '../where/compile-condition.ts'
import { isSame, ordered } from '../where/test-column.ts'

/** A select with the columns of its rows. */
export interface Select {
  readonly sql: Sql
  readonly columns: readonly Column[]
}

/**
 * The statement that finds the rows of a filter.
 * @param what is selected in place of the columns
 * @param key a condition that rows have to satisfy as well
 */
export function selectRows(context: WhereContext, filter: Filter, what?: Sql, key?: Sql): Select {
  const { table, dialect } = context
  const columns = selectedColumns(table, filter)
  const conditions = filter.where === undefined ? [] : [compileCondition(context, filter.where)]
  if (key !== undefined) conditions.unshift(key)
  const where = conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`
  const rows = sql`select ${what ?? columnList(columns)} from ${table.sql}${where}`
  const lock = filter.lock === undefined ? sql`` : dialect.forUpdate
  return { sql: sql`${rows}${orderBy(context, filter)}${page(dialect, filter)}${lock}`, columns }
}

/** The names of columns, for a select or `returning`. A model without properties still has rows. */
export function columnList(columns: readonly Column[]): Sql {
  return columns.length === 0 ? sql`1 as ${sql.id('row')}` : sql.join(columns.map((column) => column.sql))
}

/** Adds the keys that find related records, even if the caller has not selected them. */
export function selectedColumns({ columns, byProperty }: SqlTable, { fields, include }: Filter): readonly Column[] {
  if (fields === undefined || include !== undefined) return columns
  const isSelected = ({ property, declared }: Column): boolean =>
    declared === undefined
      ? property.id || fields.has(property.name)
      : [...fields].some((name) => !byProperty.has(name))
  return columns.filter(isSelected)
}

/** ` order by …`; empty for a table without an id and without an order. */
export function orderBy(context: WhereContext, filter: Filter): Sql {
  return orderClause(orderList(context, filter))
}

/** ` order by …`; empty if there is nothing to order by. */
export function orderClause(list: readonly Sql[]): Sql {
  return list.length === 0 ? sql`` : sql` order by ${sql.join(list)}`
}

/** What rows are ordered by, with the key in the end. */
function orderList(context: WhereContext, filter: Filter): readonly Sql[] {
  const { dialect, table } = context
  const isRelated = filter.order.some(({ related }) => related !== undefined)
  const distance = isRelated ? undefined : orderByDistance(dialect, table, filter.where)
  const steps = distance === undefined ? orderSteps(context, filter) : [distance]
  const asked = distance === undefined ? filter.order : []
  const last = keyColumns(table)
    .filter((column) => !asked.some((clause) => isOf(column, clause)))
    .map((column) => orderedColumn(dialect, column))
  return [...steps, ...last.filter((value) => value !== undefined)]
}

const isOf = ({ property }: Column, { path, related }: OrderClause): boolean =>
  related === undefined && path[0] === property.name

/** The columns that tell rows apart, as far as they are declared: the id's, and others of the primary key. */
export function keyColumns({ key, columns, partialKey = [] }: SqlTable): readonly Column[] {
  return [...key, ...columns.filter(({ name }) => partialKey.includes(name))]
}

function orderSteps(context: WhereContext, { order, where }: Filter): readonly Sql[] {
  return order.flatMap((clause) => {
    const isKey = keyColumns(context.table).some((column) => isOf(column, clause))
    const isPlain = isKey || isServedPlainly(context.table, clause, where)
    const hasNulls = clause.counts !== true && !isPlain
    return orderedBy(context, clause).map((value) => sql`${value}${direction(context, clause, hasNulls)}`)
  })
}

/** Without nulls the direction may name no place for them, so that the order is that of the index which the column has. */
function direction({ dialect }: WhereContext, { descending }: OrderClause, hasNulls: boolean): Sql {
  if (hasNulls) return dialect.direction(descending)
  return descending ? sql` desc` : sql``
}

/** True where no row without a value matches, and the index of the property does not say where these are. */
function isServedPlainly(table: SqlTable, { path, related }: OrderClause, where: Condition | undefined): boolean {
  const [name = '', ...below] = path
  if (related !== undefined || below.length > 0 || table.byProperty.get(name)?.isPlainlyIndexed !== true) return false
  return excludesNull(where, name)
}

function excludesNull(where: Condition | undefined, name: string): boolean {
  if (where?.kind === 'and') return where.conditions.some((condition) => excludesNull(condition, name))
  if (where?.kind !== 'test' || where.path.length !== 1 || where.path[0] !== name) return false
  return where.test === 'range' && where.bounds.every(({ value }) => value !== null && value !== undefined)
}

function orderedBy(context: WhereContext, clause: OrderClause): readonly Sql[] {
  const { related } = clause
  if (related === undefined) return orderValues(context, clause)
  if (clause.counts === true) return [countOf(context, related)].filter((value) => value !== undefined)
  const inner = relatedContext(context, related.model)
  const value = orderValue(inner, clause)
  const [column, key] = [context.table.byProperty.get(related.keyFrom), inner.table.byProperty.get(related.keyTo)]
  if (value === undefined || column === undefined || key === undefined) return []
  const isKey = isSame(key, { ...column, sql: sql`${context.table.sql}.${column.sql}` })
  const where = related.where === undefined ? isKey : allOf([isKey, compileCondition(inner, related.where)])
  return [sql`(select ${value} from ${inner.table.sql} where ${where} limit 1)`]
}

/** Values of no declared type stand in the order of numbers, then in that of texts. */
function orderValues(context: WhereContext, clause: OrderClause): readonly Sql[] {
  const { dialect, table } = context
  const { undeclared, byProperty } = table
  if (undeclared === undefined || byProperty.has(clause.path[0] ?? '')) {
    const value = orderValue(context, clause)
    return value === undefined ? [] : [value]
  }
  return (['number', 'text'] as const).map((kind) => dialect.json.order(undeclared, clause.path, kind))
}

/** Undefined where the path leads to nothing: then all rows are equal. */
function orderValue({ dialect, table }: WhereContext, { path, type }: OrderClause): Sql | undefined {
  const [name = '', ...below] = path
  const column = table.byProperty.get(name)
  if (column === undefined) return undefined
  if (column.kind === 'json') return dialect.json.order(column, below, columnKindOf(type))
  const [part] = below
  if (column.kind === 'point') return part === 'lat' || part === 'lng' ? coordinateOf(dialect, column, part) : undefined
  if (below.length > 0) return undefined
  return orderedColumn(dialect, column)
}

function orderedColumn(dialect: SqlDialect, column: Column): Sql | undefined {
  const value = ordered(dialect, column)
  return value?.isText === true ? dialect.byCode(value.sql) : value?.sql
}

/**
 * ` limit … offset …`, with a limit of one row beyond the filter's bound if it exceeds that. The limit is part of the text:
 * the database plans for it, and there are few. The offset is a parameter, since it differs for each page.
 */
export function page({ noLimit }: SqlDialect, filter: Pick<Filter, 'limit' | 'skip' | 'atMost'>): Sql {
  const { skip } = filter
  const limit = limitWithin(filter)
  const offset = skip > 0 ? sql` offset ${rowCount(skip)}` : sql``
  if (limit !== undefined) return sql` limit ${sql.lit(rowCount(limit))}${offset}`
  return noLimit === undefined || skip === 0 ? offset : sql` limit ${noLimit}${offset}`
}

/** A greater number would be written with an exponent, which databases do not accept as a number of rows. */
export function rowCount(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER)
}

/**
 * The rows, refusing the extra one beyond the limit.
 * @throws {AnswerTooLarge} it does
 */
export function readWithin(reading: Promise<Row[]>, atMost: AnswerBounds | undefined): Promise<Row[]> {
  return atMost === undefined ? reading : countRows(reading, atMost)
}

async function countRows(reading: Promise<Row[]>, atMost: AnswerBounds): Promise<Row[]> {
  const rows = await reading
  checkRowCount(rows.length, atMost)
  return rows
}

/**
 * The same of rows that come in parts.
 * @throws {AnswerTooLarge} there are too many
 */
export async function* countedParts(
  parts: AsyncIterable<Row[]>,
  atMost: AnswerBounds | undefined
): AsyncGenerator<Row[]> {
  let count = 0
  for await (const rows of parts) {
    count += rows.length
    checkRowCount(count, atMost)
    yield rows
  }
}
