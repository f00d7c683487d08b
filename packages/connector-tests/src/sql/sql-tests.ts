import type { Test } from 'tap'
import { answerCases } from './answer-cases.ts'
import { boundCases } from './bound-cases.ts'
import { checkCases } from './check-cases.ts'
import { changedModelCases } from './changed-model-cases.ts'
import { discoveryCases } from './discovery-cases.ts'
import { driftCases } from './drift-cases.ts'
import { exactCases } from './exact-cases.ts'
import { compositeIdCases } from './composite-id-cases.ts'
import { faultCases } from './fault-cases.ts'
import { injectionCases } from './injection-cases.ts'
import { openCases } from './open-cases.ts'
import { migrationCases } from './migration-cases.ts'
import { planCases } from './plan-cases.ts'
import { raceCases } from './race-cases.ts'
import { relatedCases } from './related-cases.ts'
import { lockedReadCases, rowLockCases } from './row-lock-cases.ts'
import { sharedNameCases } from './shared-name-cases.ts'
import {
  type SqlCase,
  type SqlTestsOptions,
  type TransactionTestsOptions,
  openModels,
  type OpenModels
} from './sql-case.ts'
import { storedCases } from './stored-cases.ts'
import { statementCases } from './statement-cases.ts'
import { transactionCases } from './transaction-cases.ts'
import { migrate, type ModelDefinition } from '@modelwire/core'
import type { MigrationStep } from '@modelwire/core/connector'

const many: readonly ModelDefinition[] = Array.from({ length: 4 }, (_, at) => ({
  name: `SqlLocked${at}`,
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, title: { type: 'string', index: true } }
}))

const unmigrated = { migrates: false, busyTimeout: 20 }

/** That two migrations never run at once. */
const lockCases: readonly SqlCase[] = [
  {
    name: 'two migrations of one database run one after the other',
    run: async (t, options) => {
      const opened = await Promise.all([1, 2, 3].map(async () => openModels(t, options, many, unmigrated)))
      const order: number[] = []
      const run = async ({ registry }: OpenModels, at: number): Promise<number> => {
        const [plan] = await migrate(registry, { onStep: () => void order.push(at) })
        return plan?.steps.length ?? 0
      }
      const counts = await Promise.all(opened.map(run))
      t.same(
        counts.toSorted((a, b) => a - b),
        [0, 0, 8],
        'one of them does everything'
      )
      t.equal(new Set(order).size, 1)
    }
  },
  {
    name: 'a migration that waits too long for another one is told',
    run: async (t, options) => {
      const [first, second] = await Promise.all([1, 2].map(async () => openModels(t, options, many, unmigrated)))
      if (first === undefined || second === undefined) throw new Error('two databases are open')
      let refused = 0
      const onStep = async (_step: MigrationStep, { position }: { position: number }): Promise<void> => {
        if (position > 1) return
        await t.rejects(migrate(second.registry, { lockTimeout: 0 }), { code: 'MIGRATION_LOCKED', statusCode: 409 })
        refused++
      }
      await migrate(first.registry, { empty: true, onStep })
      t.equal(refused, 1)
      t.match(await migrate(second.registry), [{ steps: [] }])
    }
  }
]

const cases: readonly SqlCase[] = [
  ...statementCases,
  ...transactionCases,
  ...raceCases,
  ...rowLockCases,
  ...lockedReadCases,
  ...boundCases,
  ...injectionCases,
  ...relatedCases,
  ...faultCases,
  ...compositeIdCases,
  ...openCases,
  ...answerCases,
  ...storedCases
]
const schemaCases: readonly SqlCase[] = [
  ...migrationCases,
  ...planCases,
  ...lockCases,
  ...driftCases,
  ...checkCases,
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

/** Runs what connectors with transactions do whose reads can lock. */
export async function lockedReadTests(t: Test, options: TransactionTestsOptions): Promise<void> {
  await runCases(t, options, lockedReadCases)
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
