import type { Collection, Filter, RelatedQuery, Row } from '@modelwire/core'
import type { Runner } from '../run-statement.ts'
import { sql, type Sql } from '../sql.ts'
import type { Column } from '../table/sql-table.ts'
import type { WhereContext } from '../where/compile-condition.ts'
import { fitsKind } from '../where/fits-kind.ts'
import { numberedRows, placeName } from './numbered-rows.ts'
import { columnList, selectedColumns, selectRows } from './select-rows.ts'

/** What resolving includes works with. */
export interface RelatedContext extends WhereContext {
  readonly runner: Runner
}

const keyKinds: ReadonlySet<Column['kind']> = new Set(['text', 'number'])

/** The rows of each of many keys, by one statement: numbered within their key where each list is cut by itself. */
export function createFindRelated(context: RelatedContext): NonNullable<Collection['findRelated']> {
  const { dialect, table, runner } = context
  return async ({ keys, property, filter }: RelatedQuery) => {
    const column = table.byProperty.get(property)
    // Other keys are compared in ways of their own.
    if (column === undefined || !keyKinds.has(column.kind)) return undefined
    const sought = keys.filter((key) => fitsKind(column.kind, key))
    if (sought.length === 0) return keys.map(() => [])
    const columns = selectedColumns(table, filter)
    const key = dialect.isOneOf(column, sought)
    const statement = isPaged(filter)
      ? sql`select ${columnList(columns)} from (${numberedRows(context, { filter, column, key, columns })}) as related order by ${sql.id(placeName)}`
      : selectKeyed(context, filter, key)
    return listByKey(keys, property, await runner.read(statement, columns, { table }))
  }
}

function isPaged({ limit, skip }: Filter): boolean {
  return limit !== undefined || skip > 0
}

function selectKeyed(context: RelatedContext, filter: Filter, key: Sql): Sql {
  return selectRows(context, filter, undefined, key).sql
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
