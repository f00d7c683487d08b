import type { Collection, Filter, RelatedQuery, Row } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import { allOf, sql, type Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import { isOneOf } from '../where/test-column.ts'
import { fitsKind } from '../where/fits-kind.ts'
import { isPaged, numberedRows, placeName } from './numbered-rows.ts'
import { readWithin } from './read-within.ts'
import { columnList, orderBy, page, selectedColumns, selectRows } from './select-rows.ts'

/** What resolving includes works with. */
export interface RelatedContext extends WhereContext {
  readonly runner: Runner
}

const keyKinds: ReadonlySet<Column['kind']> = new Set(['text', 'number'])

/** The rows of each of many keys, by one statement: numbered within their key where each list is cut by itself. */
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
