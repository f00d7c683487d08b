import type { ModelClass, ModelRegistry } from '@modelwire/core'
import { beginTransaction, type DataSource } from '@modelwire/core/connector'
import { type TransactionCase, openModels } from './sql-case.ts'

function sourceOf({ dataSources }: ModelRegistry): DataSource {
  const [only] = dataSources.values()
  if (only === undefined) throw new Error('there is a data source')
  return only
}

async function createAfter(signal: Promise<void>, model: ModelClass): Promise<unknown> {
  await signal
  return model.create({ title: 'late' })
}

const refused = new Error('refused')

/** What transactions promise. */
export const transactionCases: readonly TransactionCase[] = [
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
    name: 'a transaction ends what it has begun when its client leaves meanwhile',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const [Book, { collection }] = [registry.get('SqlBook'), registry.typeOf('SqlBook')]
      await registry.transaction(async () => {
        await Book.create({ title: 'a' })
        const rows = await collection?.find({ order: [], skip: 0 }, { signal: AbortSignal.abort() })
        t.match(rows, [{ title: 'a' }])
      })
      t.equal(await Book.count(), 1)
    }
  },
  {
    name: 'changes are told once they are committed',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const events: string[] = []
      registry.changes.subscribe('SqlBook', ({ kind }) => events.push(kind))
      await registry.transaction(async () => {
        await Book.create({ title: 'a' })
        t.same(events, [], 'not before')
      })
      t.same(events, ['create'])
      await t.rejects(
        registry.transaction(async () => {
          await Book.create({ title: 'b' })
          throw refused
        })
      )
      t.same(events, ['create'], 'what was rolled back did not happen')
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
    name: 'a transaction that is begun by hand is kept or undone as its owner says',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const events: string[] = []
      registry.changes.subscribe('SqlBook', ({ kind }) => events.push(kind))
      const first = await beginTransaction(registry, sourceOf(registry), { isolation: 'READ COMMITTED' })
      await first.run(async () => {
        await Book.create({ title: 'a' })
        await registry.transaction(async () => Book.create({ title: 'b' }))
        t.equal(await Book.count(), 2)
      })
      await first.run(async () => t.equal(await Book.count(), 2, 'it goes on where it was left'))
      t.same(events, [])
      await first.commit()
      t.same(events, ['create', 'create'])
      t.equal(await Book.count(), 2)
      const second = await beginTransaction(registry, sourceOf(registry))
      await second.run(async () => Book.destroyAll())
      await second.rollback()
      t.equal(await Book.count(), 2)
      t.same(events, ['create', 'create'])
      const over = { code: 'TRANSACTION_OVER', statusCode: 500 }
      for (const use of [() => second.run(async () => {}), () => second.commit(), () => first.rollback()])
        await t.rejects(use(), over)
      const unknown = beginTransaction(registry, sourceOf(registry), { isolation: 'quantum' })
      await t.rejects(unknown, { code: 'ISOLATION_LEVEL_UNKNOWN' })
    }
  },
  {
    name: 'what a transaction that failed left behind does not take effect',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const left: { work: Promise<unknown>; go: () => void } = { work: Promise.resolve(), go: () => {} }
      const failing = registry.transaction(async () => {
        const signal = new Promise<void>((resolve) => {
          left.go = resolve
        })
        left.work = t.rejects(createAfter(signal, Book), { code: 'TRANSACTION_OVER' })
        throw refused
      })
      await t.rejects(failing, refused)
      left.go()
      await left.work
      t.equal(await Book.count(), 0)
    }
  },
  {
    name: 'statements that wait when their transaction fails take no effect, and keep nobody else waiting',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const collection = registry.typeOf('SqlBook').collection
      await collection?.insert([{ id: 1, title: 'first' }])
      const left: { work: Promise<unknown> } = { work: Promise.resolve() }
      const failing = registry.transaction(async () => {
        const refusal = collection?.insert([{ id: 1, title: 'again' }])
        left.work = Promise.allSettled([2, 3, 4].map(async (id) => collection?.insert([{ id, title: 'left' }])))
        await refusal
      })
      await t.rejects(failing, { code: 'DUPLICATE_KEY' })
      await left.work
      await collection?.insert([{ id: 5, title: 'later' }])
      const rows = await collection?.find({ order: [], skip: 0 })
      t.same(new Set(rows?.map(({ id }) => id)), new Set([1, 5]))
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
