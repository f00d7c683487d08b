import type { Comparison, Condition } from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import { allOf, anyOf, everything, isNotTrue, nothing, type Sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { matchesNothing } from './matches-nothing.ts'
import { testColumn } from './test-column.ts'
import { testJson } from './test-json.ts'
import { testNear } from './near.ts'

/** What conditions are compiled for. */
export interface WhereContext {
  readonly dialect: SqlDialect
  readonly table: SqlTable
}

/** The condition as SQL, true for the rows that satisfy it; for others false or unknown. */
export function compileCondition(context: WhereContext, condition: Condition): Sql {
  if (condition.kind === 'never') return nothing
  if (condition.kind === 'test') return compileTest(context, condition)
  const parts = condition.conditions.map((part) => compileCondition(context, part))
  if (condition.kind === 'and') return allOf(parts)
  return condition.kind === 'or' ? anyOf(parts) : isNotTrue(anyOf(parts))
}

function compileTest({ dialect, table }: WhereContext, comparison: Comparison): Sql {
  // LB3: the empty text is like nothing, and not like nothing either; see core's predicate.
  if ('like' in comparison && comparison.like === '') return nothing
  const [name = '', ...below] = comparison.path
  const column = table.byProperty.get(name)
  if (comparison.operator === 'near') return testNear(dialect, column, below, comparison.value)
  if (column === undefined)
    return table.undeclared === undefined
      ? testAbsent(comparison)
      : testJson(dialect, table.undeclared, comparison.path, comparison)
  if (column.kind === 'json') return testJson(dialect, column, below, comparison)
  if (below.length === 0) return testColumn(dialect, column, comparison)
  const [part] = below
  const isCoordinate = column.kind === 'point' && below.length === 1 && (part === 'lat' || part === 'lng')
  if (!isCoordinate) return testAbsent(comparison)
  return testColumn(dialect, { kind: 'number', isText: false, sql: dialect.coordinate(column.sql, part) }, comparison)
}

/** What no column holds is null in every row. */
function testAbsent(comparison: Comparison): Sql {
  return matchesNothing(comparison) ? everything : nothing
}
