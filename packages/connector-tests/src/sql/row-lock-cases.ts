import type { ModelRegistry } from '@modelwire/core'
import { type SqlCase, type TransactionCase, openModels } from './sql-case.ts'

const callers = Array.from({ length: 40 })
const locked = { lock: 'update' }

const forever = new Promise<never>(() => {})

/** Adds one to a counter as in the documentation, at the isolation that the database has by default. */
async function increment(registry: ModelRegistry, id: unknown): Promise<void> {
  const Book = registry.get('SqlBook')
  await registry.transaction(async () => {
    const counter = await Book.findById(id, undefined, locked)
    await counter?.patchAttributes({ pages: Number(counter['pages']) + 1 })
  })
}

/** Records that a transaction has for itself, and for how long. */
export const rowLockCases: readonly SqlCase[] = [
  {
    name: 'what is read to be changed loses no update at the default isolation',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { id } = await registry.get('SqlBook').create({ title: 'counter', pages: 0 })
      await Promise.all(callers.map(async () => increment(registry, id)))
      t.match(await registry.get('SqlBook').findById(id), { pages: callers.length })
    }
  },
  {
    name: 'find and findOne lock what they find, in whatever order and page',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      await Book.create([
        { title: 'a', pages: 0 },
        { title: 'b', pages: 0 }
      ])
      const next = async (): Promise<void> =>
        registry.transaction(async () => {
          const [last] = await Book.find({ where: { pages: { gte: 0 } }, order: 'title DESC', limit: 1 }, locked)
          const first = await Book.findOne({ where: { title: 'a' }, fields: ['id', 'pages'] }, locked)
          await last?.patchAttributes({ pages: Number(last['pages']) + 1 })
          await Book.updateAll({ id: first?.['id'] }, { pages: Number(first?.['pages']) + 1 })
        })
      await Promise.all(callers.slice(0, 10).map(next))
      t.same(
        (await Book.find()).map(({ pages }) => pages),
        [10, 10]
      )
    }
  },
  {
    name: 'a transaction that takes longer than its timeout is rolled back',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const slow = registry.transaction(
        async () => {
          await Book.create({ title: 'late' })
          await forever
        },
        { timeout: 50 }
      )
      await t.rejects(slow, { code: 'TRANSACTION_TIMEOUT', statusCode: 503 })
      t.equal(await Book.count(), 0)
      await registry.transaction(() => Book.create({ title: 'in time' }), { timeout: 10_000 })
      t.equal(await Book.count(), 1)
    }
  }
]

/** What a lock of records promises on every connector that has one, whether others wait or run again. */
export const lockedReadCases: readonly TransactionCase[] = [
  {
    name: 'a lock belongs to a transaction, and is of a kind that exists',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const outside = { code: 'LOCK_OUTSIDE_TRANSACTION', statusCode: 500 }
      await t.rejects(Book.find({}, locked), outside)
      await t.rejects(Book.findOne({}, locked), outside)
      await t.rejects(Book.findById(1, undefined, locked), outside)
      const wrong = registry.transaction(() => Book.find({}, { lock: 'share' }))
      await t.rejects(wrong, { code: 'INVALID_ARGUMENT', statusCode: 400 })
    }
  },
  {
    name: 'of two transactions that lock a record the second one sees what the first one did',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const { id } = await Book.create({ title: 'shelf' })
      const addOnce = async (): Promise<void> =>
        registry.transaction(async () => {
          await Book.findById(id, { fields: ['title'] }, locked)
          if ((await Book.count({ title: 'only' })) === 0) await Book.create({ title: 'only' })
        })
      await Promise.all([addOnce(), addOnce(), addOnce()])
      t.equal(await Book.count({ title: 'only' }), 1)
    }
  },
  {
    name: 'what a transaction locks is as it read it when the transaction ends',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      const { id } = await Book.create({ title: 'shelf', pages: 1 })
      const seen: unknown[] = []
      let outside: Promise<unknown> | undefined
      await registry.transaction(async ({ attempt }) => {
        const shelf = await Book.findOne({ where: { title: 'shelf' } }, locked)
        if (attempt === 1) outside = registry.transaction(async () => Book.updateAll({ id }, { pages: 2 }))
        seen.push(shelf?.['pages'])
        await Book.create({ title: 'copy', pages: Number(shelf?.['pages']) })
      })
      await outside
      t.match(await Book.find({ where: { title: 'copy' } }), [{ pages: seen.at(-1) }])
      t.match(await Book.findById(id), { pages: 2 })
    }
  }
]
