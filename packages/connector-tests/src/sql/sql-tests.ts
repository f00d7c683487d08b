import type { Connector } from '@modelwire/core'
import type { Test } from 'tap'
import { faultCases } from './fault-cases.ts'
import { injectionCases } from './injection-cases.ts'
import { openCases } from './open-cases.ts'
import { migrationCases } from './migration-cases.ts'
import type { SqlCase } from './sql-case.ts'
import { statementCases } from './statement-cases.ts'
import { transactionCases } from './transaction-cases.ts'

/** The SQL connector under test. */
export interface SqlTestsOptions {
  readonly name: string
  /** Makes a connector to a database that this run has for itself, with more settings. */
  readonly create: (settings: Readonly<Record<string, unknown>>) => Connector
  /** The key of model files below which tables and columns are described. */
  readonly mappingKey: string
  /** Statements of an upsert, as documented. */
  readonly upsert: { readonly patch: number; readonly insert: number }
}

const cases: readonly SqlCase[] = [
  ...statementCases,
  ...transactionCases,
  ...migrationCases,
  ...injectionCases,
  ...faultCases,
  ...openCases
]

/** Runs what every SQL connector does beyond the suite of all connectors: one test per case, one after the other. */
export async function sqlTests(t: Test, options: SqlTestsOptions): Promise<void> {
  for (const { name, run } of cases) await t.test(`${options.name}: ${name}`, async (t) => run(t, options))
}
