import {
  type Comparison,
  type Condition,
  compileCondition as compilePredicate,
  type ModelType,
  type Near,
  type RelatedCount,
  earthRadius,
  findNear
} from '@modelwire/core/connector'
import type { SqlDialect, Subject } from '../dialect/dialect.ts'
import { allOf, anyOf, everything, isNotTrue, nothing, type Sql, sql } from '../sql.ts'
import type { ExactText, Column } from '../table/column.ts'
import { aliasTable, type SqlTable } from '../table/sql-table.ts'
import { matchesNothing } from './matches-nothing.ts'
import { isSame, testColumn } from './test-column.ts'
import { testJson } from './test-json.ts'

type RelatedTest = Extract<Condition, { kind: 'related' }>

/** The context for compiling conditions. */
export interface WhereContext {
  readonly dialect: SqlDialect
  readonly table: SqlTable
  readonly tableOf: (model: ModelType) => SqlTable
  /** The nesting depth of the condition's select. Default 0. */
  readonly depth?: number
  /** The rows are being changed: some databases cannot read the table in the same statement. */
  readonly changes?: boolean
}

/** The condition as SQL: true for rows that satisfy it, false or unknown for others. */
export function compileCondition(context: WhereContext, condition: Condition): Sql {
  if (condition.kind === 'never') return nothing
  if (condition.kind === 'test') return compileTest(context, condition)
  if (condition.kind === 'related') return compileRelated(context, condition)
  const parts = condition.conditions.map((part) => compileCondition(context, part))
  if (condition.kind === 'and') return allOf(parts)
  return condition.kind === 'or' ? anyOf(parts) : compileNone(context, condition.conditions)
}

/** True where none of the conditions is. Rows without related ones are found by `not exists`, which databases plan as a join. */
function compileNone(context: WhereContext, conditions: readonly Condition[]): Sql {
  const absent: Sql[] = []
  const others: Sql[] = []
  for (const condition of conditions) {
    const isNone = condition.kind === 'related' && condition.count === undefined
    const none = isNone ? selectNone(context, condition) : undefined
    if (none === undefined) others.push(compileCondition(context, condition))
    else absent.push(none)
  }
  const rest = others.length === 0 ? [] : [isNotTrue(anyOf(others))]
  return absent.length === 1 && rest.length === 0 ? sql.join(absent) : allOf([...absent, ...rest])
}

function compileTest({ dialect, table }: WhereContext, comparison: Comparison): Sql {
  const [name = '', ...below] = comparison.path
  const column = table.byProperty.get(name)
  if (comparison.test === 'near') return testNear(dialect, column, below, comparison.near)
  if (column === undefined)
    return table.undeclared === undefined
      ? testAbsent(comparison)
      : testJson(dialect, table.undeclared, comparison.path, comparison)
  if (column.kind === 'json') return testJson(dialect, column, below, comparison)
  if (below.length === 0) return testColumn(dialect, column, comparison)
  const [part] = below
  const isCoordinate = column.kind === 'point' && below.length === 1 && (part === 'lat' || part === 'lng')
  if (!isCoordinate) return testAbsent(comparison)
  return testColumn(dialect, { kind: 'number', isText: false, sql: coordinateOf(dialect, column, part) }, comparison)
}

/** A coordinate of the points in a column. Only columns of points have one. */
export function coordinateOf(dialect: SqlDialect, { type, sql: point }: Column, part: 'lat' | 'lng'): Sql {
  const isPoint = type === undefined || type.comparesAny === true || type.kind === 'point'
  return isPoint ? dialect.coordinate(point, part) : sql`nullif(0, 0)`
}

/** What no column holds is null in every row. */
function testAbsent(comparison: Comparison): Sql {
  return matchesNothing(comparison) ? everything : nothing
}

/** Keys are looked for among those of the related rows, whose select stands for itself: no name in it means an outer table. */
function compileRelated(context: WhereContext, condition: RelatedTest): Sql {
  const { table } = context
  const { count } = condition
  const column = table.byProperty.get(condition.keyFrom)
  const isList = column?.kind === 'json'
  const keys = selectKeys(context, isList ? { ...condition, count: undefined } : condition)
  if (column === undefined || keys === undefined) return nothing
  if (isList) return compileListed(context, column, keys, count)
  if (count === undefined) return isAmongKeys(column, keys)
  // Rows that nothing refers to are in no group.
  if (!holdsForNone(count)) return isAmongKeys(column, keys)
  const others = { ...condition, count: { ...count, having: { kind: 'nor', conditions: [count.having] } as const } }
  return selectNone(context, others) ?? nothing
}

const holdsForNone = ({ having }: RelatedCount): boolean => compilePredicate(having).matches({ count: 0 })

/** The number of related rows of each row; undefined where there is no column that leads to them. */
export function countOf(context: WhereContext, related: RelatedTest): Sql | undefined {
  const { table } = context
  const column = table.byProperty.get(related.keyFrom)
  if (column?.kind === 'json') {
    const keys = selectKeys(context, { ...related, count: undefined })
    return keys && countListed(context, column, keys)
  }
  const inner = relatedContext(context, related.model)
  const key = inner.table.byProperty.get(related.keyTo)
  if (column === undefined || key === undefined) return undefined
  const isKey = isSame(key, { ...column, sql: sql`${table.sql}.${column.sql}` })
  const tests = related.where === undefined ? isKey : allOf([isKey, compileCondition(inner, related.where)])
  return sql`(select ${countRows(inner, related.count)} from ${inner.table.sql} where ${tests})`
}

/** Tests the items of a list of keys. */
function compileListed(context: WhereContext, column: Column, keys: Keys, count: RelatedCount | undefined): Sql {
  if (count !== undefined) return compileHaving(context, count, countListed(context, column, keys))
  const { rows, isKey } = listedKeys(context, column, keys)
  return sql`exists (select 1 from ${rows} where ${isKey})`
}

function countListed(context: WhereContext, column: Column, keys: Keys): Sql {
  const { rows, isKey, item } = listedKeys(context, column, keys)
  return sql`(select count(distinct ${item}) from ${rows} where ${isKey})`
}

/** The items of a list, and the test whether one is a key. */
function listedKeys({ dialect }: WhereContext, column: Column, keys: Keys): { rows: Sql; isKey: Sql; item: Sql } {
  const { rows, type, text, number, exactly } = dialect.json.items(column, [])
  if (!keys.isText)
    return { rows, item: number, isKey: sql`${number} is not null and ${isAmongKeys({ sql: number }, keys)}` }
  const isKey = sql`${type} in ('string', 'number') and ${isAmongKeys({ sql: text, exactly }, keys)}`
  return { rows, item: exactly?.text(text) ?? text, isKey }
}

/** A condition on a number of rows. */
function compileHaving(context: WhereContext, { having }: RelatedCount, number: Sql): Sql {
  // Conditions read nothing else of it.
  const property = { name: 'count', type: { kind: 'number' } } as Column['property']
  const column: Column = { property, name: 'count', kind: 'number', isText: false, mapping: {}, sql: number }
  const table = { ...context.table, byProperty: new Map([['count', column]]), undeclared: undefined }
  return compileCondition({ ...context, table }, having)
}

/**
 * True for rows whose key no related row has; undefined for lists of keys. Its select names the outer table, since a
 * comparison of whole rows with a list would not be planned as a join.
 */
function selectNone(context: WhereContext, condition: RelatedTest): Sql | undefined {
  const { table } = context
  const column = table.byProperty.get(condition.keyFrom)
  const inner = relatedContext(context, condition.model)
  const key = inner.table.byProperty.get(condition.keyTo)
  if (column === undefined || key === undefined || column.kind === 'json') return undefined
  const outer = { ...column, sql: (context.depth ?? 0) === 0 ? sql`${table.sql}.${column.sql}` : column.sql }
  if (condition.count === undefined && !isReadApart(context)) {
    const { where } = condition
    const isKey = isSame(key, outer)
    const tests = where === undefined ? isKey : allOf([isKey, compileCondition(inner, where)])
    return sql`not exists (select 1 from ${inner.table.sql} where ${tests})`
  }
  const keys = selectKeys(context, condition)
  if (keys === undefined) return undefined
  const alias = `keys ${(context.depth ?? 0) + 1}`
  const among = { ...key, sql: sql.id(alias, 'key') }
  return sql`not exists (select 1 from (${keys.select([], 'key')}) as ${sql.id(alias)} where ${isSame(among, outer)})`
}

/** The database cannot read the table that the statement changes, except as a table of its own. */
const isReadApart = ({ dialect, depth = 0, changes = false }: WhereContext): boolean =>
  changes && depth === 0 && dialect.readsNoChanged === true

/** Pairs of the key and its characters are compared where a collation may take other keys for the same. */
function isAmongKeys(subject: Pick<Subject, 'sql' | 'exactly'>, keys: Keys): Sql {
  const exactly = subject.exactly ?? keys.exactly
  if (exactly === undefined) return sql`${subject.sql} in (${keys.select([])})`
  return sql`(${subject.sql}, ${exactly.text(subject.sql)}) in (${keys.select([exactly.text])})`
}

/** The context of a nested select from the table of another model, or the same one. */
export function relatedContext(context: WhereContext, model: ModelType): WhereContext {
  const depth = (context.depth ?? 0) + 1
  return { ...context, table: aliasTable(context.tableOf(model), `related ${depth}`), depth }
}

/** The keys of related rows. */
interface Keys extends Pick<Subject, 'exactly'> {
  readonly isText: boolean
  /** Selects them, each with the results of `more`; `name` is that of their column, if there is one. */
  readonly select: (more: readonly ExactText['text'][], name?: string) => Sql
}

function selectKeys(context: WhereContext, { model, keyTo, where, count }: RelatedTest): Keys | undefined {
  const inner = relatedContext(context, model)
  const key = inner.table.byProperty.get(keyTo)
  if (key === undefined) return undefined
  const groups = count === undefined ? sql`` : groupRows(inner, key, count)
  const rows = sql`from ${inner.table.sql} where ${where === undefined ? everything : compileCondition(inner, where)}${groups}`
  const isApart = isReadApart(context)
  const select = (more: readonly ExactText['text'][], name?: string): Sql => {
    const values = [key.sql, ...more.map((make) => make(key.sql))]
    const named = (list: readonly Sql[]): Sql =>
      name === undefined ? sql.join(list) : sql.join(list.map((value) => sql`${value} as ${sql.id(name)}`))
    if (!isApart) return sql`select ${named(values)} ${rows}`
    const names = values.map((_, at) => sql.id(`key ${at}`))
    const inside = values.map((value, at) => sql`${value} as ${sql.id(`key ${at}`)}`)
    // Without `distinct` the inner select might become a part of the outer one.
    return sql`select ${named(names)} from (select distinct ${sql.join(inside)} ${rows}) as ${sql.id('keys')}`
  }
  return { isText: key.kind === 'text', exactly: key.exactly, select }
}

/** Those of a key as one row each, where there are as many as are asked for. */
function groupRows(inner: WhereContext, key: Column, count: RelatedCount): Sql {
  const by = [key.sql, ...(key.exactly === undefined ? [] : [key.exactly.text(key.sql)])]
  return sql` group by ${sql.join(by)} having ${compileHaving(inner, count, countRows(inner, count))}`
}

function countRows({ table }: WhereContext, count: RelatedCount | undefined): Sql {
  const column = count?.distinct === undefined ? undefined : table.byProperty.get(count.distinct)
  return column === undefined ? sql`count(*)` : sql`count(distinct ${column.exactly?.text(column.sql) ?? column.sql})`
}

/** True for rows with a point in that distance. Only columns of points are searched. */
function testNear(dialect: SqlDialect, column: Column | undefined, below: readonly string[], near: Near): Sql {
  if (column?.kind !== 'point' || below.length > 0) return nothing
  const distance = distanceTo(dialect, column, near)
  const conditions = [sql`${column.sql} is not null`]
  if (near.minDistance !== undefined)
    conditions.push(sql`${distance} >= ${dialect.operand('number', near.minDistance)}`)
  if (near.maxDistance !== undefined)
    conditions.push(sql`${distance} <= ${dialect.operand('number', near.maxDistance)}`)
  return allOf(conditions)
}

/** The order of rows if the condition has a `near`; undefined if it has none. */
export function orderByDistance(dialect: SqlDialect, table: SqlTable, where: Condition | undefined): Sql | undefined {
  const near = findNear(where)
  const column = near?.path.length === 1 ? table.byProperty.get(near.path[0] ?? '') : undefined
  if (near === undefined || column?.kind !== 'point') return undefined
  // Within `or` there are rows without a point: they come last, beyond half of the circumference. Databases differ about null.
  return sql`coalesce(${distanceTo(dialect, column, near.value)}, ${dialect.operand('number', 4 * earthRadius)})`
}

function square(angle: Sql): Sql {
  return sql`power(sin(radians(${angle}) / 2), 2)`
}

/** Metres along the earth's surface, by the haversine formula. */
function distanceTo(dialect: SqlDialect, column: Column, { lat, lng }: Near): Sql {
  const [from, to] = [coordinateOf(dialect, column, 'lat'), dialect.operand('number', lat)]
  const [west, east] = [coordinateOf(dialect, column, 'lng'), dialect.operand('number', lng)]
  const haversine = sql`${square(sql`${from} - ${to}`)} + cos(radians(${from})) * cos(radians(${to})) * ${square(sql`${west} - ${east}`)}`
  // Rounding may carry the sum of opposite points above 1, which has no arcsine.
  return sql`${dialect.operand('number', 2 * earthRadius)} * asin(sqrt(case when ${haversine} > 1 then 1 else ${haversine} end))`
}
