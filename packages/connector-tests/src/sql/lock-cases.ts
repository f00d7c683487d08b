import { migrate, type ModelDefinition } from '@modelwire/core'
import type { MigrationStep } from '@modelwire/core/connector'
import { openModels, type OpenModels, type SqlCase } from './sql-case.ts'

const many: readonly ModelDefinition[] = Array.from({ length: 4 }, (_, at) => ({
  name: `SqlLocked${at}`,
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, title: { type: 'string', index: true } }
}))
const unmigrated = { migrates: false, busyTimeout: 20 }

/** That two migrations never run at once. */
export const lockCases: readonly SqlCase[] = [
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
