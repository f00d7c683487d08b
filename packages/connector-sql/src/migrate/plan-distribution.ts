import type { SqlDialect } from '../dialect.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { type PlannedStep, step } from './planned-step.ts'
import { indexesOf } from './table-indexes.ts'

/** Distributes the records of a new table in its cluster, where the model says by what. What the cluster will refuse goes into `notes`. */
export function planDistribution(dialect: SqlDialect, table: SqlTable, notes: Set<string>): readonly PlannedStep[] {
  const { distributedBy: by, name } = table
  const { distribute } = dialect.schema
  if (by === undefined || distribute === undefined) return []
  for (const index of indexesOf(table))
    if (index.unique && !index.parts.some(({ column }) => column === by))
      notes.add(`the unique index ${index.name} lacks the column ${by.name}, by which the table ${name} is distributed`)
  return [step('distributeTable', table, `the distribution of the table ${name} by ${by.name}`, distribute(table, by))]
}
