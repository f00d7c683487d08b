import { migrate, type ModelDefinition, planMigration } from '@modelwire/core'
import type { Test } from 'tap'
import { openModels, type SqlTestsOptions } from './sql-case.ts'

const stock = (properties: NonNullable<ModelDefinition['properties']> = {}): ModelDefinition => ({
  name: 'SqlShelf',
  strict: true,
  properties: {
    id: { type: 'number', id: true, generated: true },
    code: { type: 'string', length: 20 },
    ...properties
  }
})

const added = { extra: 'number' }

/** Migrations of tables that others use meanwhile, for servers that lock tables. */
export async function busyMigrationTests(t: Test, options: SqlTestsOptions): Promise<void> {
  await t.test(
    'a migration that waits for a table lets others read it meanwhile, and goes on after them',
    async (t) => {
      const { registry } = await openModels(t, options, [stock()])
      const Shelf = registry.get('SqlShelf')
      await Shelf.create({ code: 'a' })
      const next = await openModels(t, options, [stock(added)], { migrates: false })
      let migrating: Promise<unknown> = Promise.resolve()
      const reads: unknown[] = []
      await registry.transaction(async () => {
        await Shelf.find()
        migrating = migrate(next.registry)
        while (reads.length < 4) reads.push(await openAndRead(t, options))
      })
      await migrating
      t.match(await planMigration(next.registry), [{ steps: [] }])
      t.same(new Set(reads), new Set([1]))
    }
  )

  await t.test('a migration that finds a table in use for too long is told', async (t) => {
    const { registry } = await openModels(t, options, [stock()])
    const next = await openModels(t, options, [stock(added)], { migrates: false })
    await registry.transaction(async () => {
      await registry.get('SqlShelf').find()
      const failed: unknown = await migrate(next.registry, { lockTimeout: 0 }).catch((error: unknown) => error)
      t.match(failed, { code: 'MIGRATION_LOCKED', statusCode: 409 })
    })
    await migrate(next.registry)
    t.match(await planMigration(next.registry), [{ steps: [] }])
  })
}

/** How many records another connection finds. */
async function openAndRead(t: Test, options: SqlTestsOptions): Promise<number> {
  const { registry } = await openModels(t, options, [stock()], { migrates: false })
  return registry.get('SqlShelf').count()
}
