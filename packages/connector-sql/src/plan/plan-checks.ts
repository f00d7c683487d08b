import { checksOf, defineCheck, isFormerName, type TableCheck } from '../dialect/table-checks.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { step, type PlanContext, type PlannedStep, type TablePlan } from './planned-step.ts'

/** Adds the checks that an existing table lacks, and drops those whose condition was another one. */
export function planChecks(
  { dialect }: Pick<PlanContext, 'dialect'>,
  { table, state, siblings }: TablePlan,
  notes: Set<string>
): readonly PlannedStep[] {
  const { checks, notes: unmade } = checksOf(dialect, table, siblings)
  for (const note of unmade) notes.add(note)
  const { fold } = dialect.schema.names
  const has = ({ name }: TableCheck): boolean => state.checks.some((each) => fold(each).includes(fold(name)))
  const missing = state.isNew ? [] : checks.filter((each) => !has(each))
  state.checks.push(...checks.filter((each) => !has(each)).map(({ name }) => name))
  if (dialect.schema.addsForeignKeys)
    return missing.flatMap((each) => [...dropFormer(dialect, { table, state }, each), addCheck(table, each)])
  for (const { check } of missing)
    notes.add(
      `the check ${check.name} of ${table.model.name} is not made a constraint: the table ${table.name} already exists, and this database cannot add one to it`
    )
  return []
}

function addCheck(table: SqlTable, check: TableCheck): PlannedStep {
  const back = { run: [dropCheck(table, check.name)] }
  return step(
    'addCheck',
    table,
    `the check ${check.name} of ${table.name}`,
    sql`alter table ${table.sql} add ${defineCheck(check)}`,
    back
  )
}

const dropCheck = (table: SqlTable, name: string): Sql => sql`alter table ${table.sql} drop constraint ${sql.id(name)}`

function dropFormer(
  dialect: SqlDialect,
  { table, state }: Pick<TablePlan, 'table' | 'state'>,
  { check }: TableCheck
): readonly PlannedStep[] {
  return state.checks
    .filter((each) => isFormerName(dialect, table, check, each))
    .map((each) =>
      step('dropCheck', table, `the former check ${check.name} of ${table.name}`, dropCheck(table, each), {
        run: [],
        unknown: `the constraint ${each} of ${table.name}`
      })
    )
}
