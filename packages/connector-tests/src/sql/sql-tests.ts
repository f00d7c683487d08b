import type { Test } from 'tap'
import { boundCases } from './bound-cases.ts'
import { changedModelCases } from './changed-model-cases.ts'
import { discoveryCases } from './discovery-cases.ts'
import { driftCases } from './drift-cases.ts'
import { exactCases } from './exact-cases.ts'
import { faultCases } from './fault-cases.ts'
import { injectionCases } from './injection-cases.ts'
import { lockCases } from './lock-cases.ts'
import { openCases } from './open-cases.ts'
import { migrationCases } from './migration-cases.ts'
import { planCases } from './plan-cases.ts'
import { raceCases } from './race-cases.ts'
import { relatedCases } from './related-cases.ts'
import { rowLockCases } from './row-lock-cases.ts'
import { sharedNameCases } from './shared-name-cases.ts'
import type { SqlCase, SqlTestsOptions, TransactionTestsOptions } from './sql-case.ts'
import { statementCases } from './statement-cases.ts'
import { transactionCases } from './transaction-cases.ts'

const cases: readonly SqlCase[] = [
  ...statementCases,
  ...transactionCases,
  ...raceCases,
  ...rowLockCases,
  ...boundCases,
  ...injectionCases,
  ...relatedCases,
  ...faultCases,
  ...openCases
]
const schemaCases: readonly SqlCase[] = [
  ...migrationCases,
  ...planCases,
  ...lockCases,
  ...driftCases,
  ...changedModelCases,
  ...sharedNameCases,
  ...discoveryCases
]

/** Runs what every SQL connector does beyond the suite of all connectors: one test per case, one after the other. */
export async function sqlTests(t: Test, options: SqlTestsOptions): Promise<void> {
  await runCases(t, options, cases)
}

/** Runs what every connector with transactions does. */
export async function transactionTests(t: Test, options: TransactionTestsOptions): Promise<void> {
  await runCases(t, options, transactionCases)
}

/** Runs what every SQL connector does with tables: how it makes them, and what it finds in a database. */
export async function sqlSchemaTests(t: Test, options: SqlTestsOptions): Promise<void> {
  await runCases(t, options, schemaCases)
}

/** Runs what those do that have types for exact numbers of many digits. */
export async function exactNumberTests(t: Test, options: SqlTestsOptions): Promise<void> {
  await runCases(t, options, exactCases)
}

async function runCases<Options extends TransactionTestsOptions>(
  t: Test,
  options: Options,
  all: readonly { readonly name: string; readonly run: (t: Test, options: Options) => Promise<void> }[]
): Promise<void> {
  for (const { name, run } of all) await t.test(`${options.name}: ${name}`, async (t) => run(t, options))
}
