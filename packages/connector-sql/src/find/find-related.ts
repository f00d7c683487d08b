import type { Collection, Filter, RelatedQuery, Row } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import { allOf, sql, type Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import { isOneOf, fitsKind } from '../where/test-column.ts'
import { readWithin, columnList, orderBy, page, selectedColumns, selectRows, rowCount } from './select-rows.ts'

/** The name under which rows have their place among those of one key. */
const placeName = 'place of the row'

/** Rows of several keys, ordered and limited per key. */
interface KeyedRows {
  readonly filter: Filter
  /** The source of the rows: a table, with an optional condition. */
  readonly from: Sql
  readonly key: Sql
  readonly columns: Sql
  /** ` order by …` within the rows of a key; empty if they have no order. */
  readonly order: Sql
}

/** The context for resolving includes. */
export interface RelatedContext extends WhereContext {
  readonly runner: Runner
}

const keyKinds: ReadonlySet<Column['kind']> = new Set(['text', 'number'])

/**
 * Makes the function that finds the rows of each of many keys with one statement: numbered within their key if each list
 * has its own limit.
 */
export function createFindRelated(context: RelatedContext): NonNullable<Collection['findRelated']> {
  const { dialect, table, runner } = context
  return async ({ keys, property, filter }: RelatedQuery, { signal } = {}) => {
    const column = table.byProperty.get(property)
    // Other keys are compared in ways of their own.
    if (column === undefined || !keyKinds.has(column.kind)) return undefined
    const sought = keys.filter((key) => fitsKind(dialect, column, key))
    if (sought.length === 0) return keys.map(() => [])
    const columns = selectedColumns(table, filter)
    const key = isOneOf(dialect, column, sought)
    const statement = isPaged(filter)
      ? selectNumbered(context, filter, columns, { column, key })
      : selectRows(context, filter, undefined, key).sql
    const bounded = { ...runner.compile(statement), atMost: filter.atMost, signal }
    return listByKey(keys, property, await readWithin(runner.read(bounded, columns, { table }), filter.atMost))
  }
}

function selectNumbered(
  context: RelatedContext,
  filter: Filter,
  columns: readonly Column[],
  { column, key }: { readonly column: Column; readonly key: Sql }
): Sql {
  const { where } = filter
  const condition = where === undefined ? key : allOf([key, compileCondition(context, where)])
  const list = columnList(columns)
  const from = sql`${context.table.sql} where ${condition}`
  const numbered = numberedRows({
    filter,
    from,
    key: column.exactly?.text(column.sql) ?? column.sql,
    columns: list,
    order: orderBy(context, filter)
  })
  const most = page(context.dialect, { skip: 0, atMost: filter.atMost })
  return sql`select ${list} from (${numbered}) as related order by ${sql.id(placeName)}${most}`
}

function listByKey(keys: readonly unknown[], property: string, rows: readonly Row[]): readonly (readonly Row[])[] {
  const lists = new Map<unknown, Row[]>()
  for (const row of rows) {
    const list = lists.get(row[property])
    if (list === undefined) lists.set(row[property], [row])
    else list.push(row)
  }
  return keys.map((key) => lists.get(key) ?? [])
}

/** True where the filter cuts the rows of each key. */
function isPaged({ limit, skip }: Filter): boolean {
  return limit !== undefined || skip > 0
}

/** Selects rows with their place among those of their key, from 1, within the page of the filter. */
function numberedRows({ filter, from, key, columns, order }: KeyedRows): Sql {
  const { skip, limit } = filter
  const place = sql`row_number() over (partition by ${key}${order}) as ${sql.id(placeName)}`
  const last = limit === undefined ? sql`` : sql` and ${sql.id(placeName)} <= ${sql.lit(rowCount(skip + limit))}`
  return sql`select ${columns}, ${sql.id(placeName)} from (select ${columns}, ${place} from ${from}) as numbered where ${sql.id(placeName)} > ${sql.lit(rowCount(skip))}${last}`
}
