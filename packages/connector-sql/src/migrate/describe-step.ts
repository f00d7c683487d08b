import type { MigrationStep, WayBack } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import type { Sql } from '../sql.ts'
import type { PlannedStep, StepBack } from './planned-step.ts'

/** A step as others see it; with `back` also how it is undone, and whether it can be part of a transaction. */
export function describeStep(
  runner: Runner,
  { sql: statement, table: _table, unique: _unique, online, back, ...step }: PlannedStep,
  saysBack: boolean
): MigrationStep {
  const textOf = (each: Sql): string => runner.compile(each).sql.trim()
  const plain = { ...step, statement: textOf(statement) }
  if (!saysBack) return plain
  return {
    ...plain,
    ...(back && { back: describeBack(back, textOf) }),
    ...(online && { outsideTransaction: true as const })
  }
}

function describeBack(back: StepBack, textOf: (each: Sql) => string): WayBack {
  const statements = back.run.map(textOf)
  if ('unknown' in back) return { statements, unknown: back.unknown }
  return { statements, ...(back.loses !== undefined && { loses: back.loses }) }
}
