import type { AggregateQuery, MeasureColumn } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { type Sql, sql } from '../sql.ts'
import { columnKindOf, type Column } from '../table/column.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import { ordered, stringsOf } from '../where/test-column.ts'
import { orderClause, page, type Select } from './select-rows.ts'

type GroupColumn = AggregateQuery['groups'][number]

/** How many decimals an average of exact numbers has. */
const averagePlaces = 20

/** Computes aggregates with one statement; undefined if the database cannot compute them from the columns of the properties. */
export function aggregateRows(context: WhereContext, query: AggregateQuery): Select | undefined {
  const { dialect, table } = context
  const groups = query.groups.map((group, at) => groupColumn(context, group, `g${at}`))
  const measures = query.measures.map((measure, at) => measureColumn(context, measure, `m${at}`))
  const columns: Column[] = []
  for (const column of [...groups, ...measures]) {
    if (column === undefined) return undefined
    columns.push(column)
  }
  const values = sql.join(columns.map((column) => sql`${column.sql} as ${sql.id(column.name)}`))
  const where = query.where === undefined ? sql`` : sql` where ${compileCondition(context, query.where)}`
  // By their places, since expressions need not be repeated then.
  const by = query.groups.map((_, at) => sql.lit(at + 1))
  const groupBy = by.length === 0 ? sql`` : sql` group by ${sql.join(by)}`
  const result = resultContext(context, columns)
  const having = query.having === undefined ? sql`` : sql` having ${compileCondition(result, query.having)}`
  const order = orderClause(orderSteps(dialect, query, result.table.byProperty))
  return {
    sql: sql`select ${values} from ${table.sql}${where}${groupBy}${having}${order}${page(dialect, query)}`,
    columns
  }
}

function resultContext(context: WhereContext, columns: readonly Column[]): WhereContext {
  const byProperty = new Map(columns.map((column) => [column.property.name, column]))
  return { ...context, table: { ...context.table, columns, byProperty, undeclared: undefined, id: undefined } }
}

function orderSteps(
  dialect: SqlDialect,
  { order }: AggregateQuery,
  columns: ReadonlyMap<string, Column>
): readonly Sql[] {
  return order.flatMap(({ column: { value }, descending }) => {
    const column = columns.get(value.name)
    if (column === undefined) return []
    const written = column.isText ? dialect.byCode(column.sql) : column.sql
    return [sql`${written}${dialect.direction(descending)}`]
  })
}

/** The column of a property that holds exact numbers where the property does; undefined where it does not. */
function columnOf(
  { table }: WhereContext,
  { property, isDecimal }: Pick<MeasureColumn, 'property' | 'isDecimal'>
): Column | undefined {
  const column = property && table.byProperty.get(property.name)
  return column !== undefined && (column.kind === 'decimal') === isDecimal && column.kind !== 'json'
    ? column
    : undefined
}

function groupColumn(context: WhereContext, group: GroupColumn, name: string): Column | undefined {
  const { part, value } = group
  const column = columnOf(context, part === undefined ? group : { ...group, isDecimal: false })
  if (column === undefined) return undefined
  if (part === undefined) {
    const values = ordered(context.dialect, column)
    return values && { ...values, property: value, name }
  }
  const written = column.kind === 'date' ? context.dialect.aggregate.datePart(part, column) : undefined
  return written && resultColumn(group, name, written)
}

const resultColumn = ({ value, isDecimal }: MeasureColumn | GroupColumn, name: string, written: Sql): Column => ({
  property: value,
  name,
  kind: isDecimal ? 'decimal' : columnKindOf(value.type),
  isText: false,
  mapping: {},
  sql: written
})

function measureColumn(context: WhereContext, measure: MeasureColumn, name: string): Column | undefined {
  const { fn, property, isDecimal } = measure
  if (property === undefined) return resultColumn(measure, name, sql`count(*)`)
  const column = fn === 'count' ? context.table.byProperty.get(property.name) : columnOf(context, measure)
  if (column === undefined) return undefined
  const { dialect } = context
  if (fn === 'count') return resultColumn(measure, name, sql`count(${column.sql})`)
  const values = ordered(dialect, column)
  if (values === undefined) return undefined
  const value = values.sql
  if (fn === 'avg') {
    const { average, exactAverage } = dialect.aggregate
    return resultColumn(measure, name, isDecimal ? exactAverage(value, averagePlaces) : average(value))
  }
  if (fn === 'sum') return resultColumn(measure, name, sql`${sql.raw(fn)}(${value})`)
  if (column.kind !== 'text')
    return { ...resultColumn(measure, name, sql`${sql.raw(fn)}(${value})`), kind: column.kind }
  // Types such as uuid have no least value.
  const text = dialect.byCode(values.isText ? value : stringsOf(dialect, values).sql)
  return { ...resultColumn(measure, name, sql`${sql.raw(fn)}(${text})`), isText: true }
}
