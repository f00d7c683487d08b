import type { SqlCase } from './sql-case.ts'
import { openModels } from './sql-case.ts'

const refused = new Error('refused')

/** What transactions promise. */
export const transactionCases: readonly SqlCase[] = [
  {
    name: 'a transaction is committed as a whole or rolled back as a whole',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      await registry.transaction(async () => {
        await Book.create({ title: 'a' })
        await Book.create({ title: 'b' })
      })
      t.equal(await Book.count(), 2)
      const failing = registry.transaction(async () => {
        await Book.create({ title: 'c' })
        t.equal(await Book.count(), 3, 'its own work is seen inside')
        throw refused
      })
      await t.rejects(failing, refused)
      t.equal(await Book.count(), 2)
    }
  },
  {
    name: 'a transaction inside another one joins it',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const failing = registry.transaction(async () => {
        await registry.transaction(async () => Book.create({ title: 'inner' }))
        throw refused
      })
      await t.rejects(failing, refused)
      t.equal(await Book.count(), 0)
    }
  },
  {
    name: 'changes are told once they are committed',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const told: string[] = []
      registry.changes.subscribe('SqlBook', ({ kind }) => told.push(kind))
      await registry.transaction(async () => {
        await Book.create({ title: 'a' })
        t.same(told, [], 'not before')
      })
      t.same(told, ['create'])
      await t.rejects(
        registry.transaction(async () => {
          await Book.create({ title: 'b' })
          throw refused
        })
      )
      t.same(told, ['create'], 'what was rolled back did not happen')
    }
  },
  {
    name: 'transactions that get in each other’s way are tried again',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      await collection?.insert([{ title: 'a', pages: 0 }])
      const increment = async (): Promise<void> =>
        registry.transaction(
          async () => {
            const row = await collection?.findById(1)
            await collection?.upsert({ id: 1, pages: Number(row?.['pages']) + 1 })
          },
          { isolation: 'serializable' }
        )
      await Promise.all(Array.from({ length: 4 }, increment))
      t.equal((await collection?.findById(1))?.['pages'], 4)
    }
  },
  {
    name: 'an unknown level of isolation is refused',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const transaction = registry.transaction(async () => {}, { isolation: 'quantum' })
      await t.rejects(transaction, { code: 'ISOLATION_LEVEL_UNKNOWN' })
      await registry.transaction(async () => {}, { isolation: 'REPEATABLE READ' })
    }
  }
]
