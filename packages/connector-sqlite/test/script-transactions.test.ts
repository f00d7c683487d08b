import t from 'tap'
import { runScript } from './fixtures/boot-with-sqlite.ts'

const seen: [string, string, unknown][] = [
  [
    'beginTransaction, options.transaction and commit, with promises',
    `const tx = await Author.beginTransaction({ isolationLevel: 'SERIALIZABLE' }), options = { transaction: tx }
     const ann = await Author.create({ name: 'Ann' }, options)
     await ann.books.create({ title: 'a' }, options)
     await ann.updateAttributes({ name: 'Anna' }, options)
     const inside = [await Book.count({}, options), (await Author.findOne({}, options)).name]
     await tx.commit()
     return [inside, await Book.count(), await code(Author.count({}, options))]`,
    [[1, 'Anna'], 1, 'TRANSACTION_NOT_ACTIVE']
  ],
  [
    'rollback, with callbacks and a level alone',
    `const [error, tx] = await called(cb => Author.beginTransaction('READ COMMITTED', cb))
     const [, made] = await called(cb => Author.create({ name: 'Ann' }, { transaction: tx }, cb))
     const ended = await called(cb => tx.rollback(cb))
     return [error, made.name, ended, await Author.count()]`,
    [null, 'Ann', [null], 0]
  ],
  [
    'hooks see the transaction, and what they do with its options belongs to it',
    `Author.observe('after save', async ctx => { await Book.create({ title: 'of ' + ctx.instance.name }, ctx.options) })
     const tx = await db.beginTransaction({})
     await Author.create({ name: 'Ann' }, { transaction: tx })
     await tx.rollback()
     return [await Author.count(), await Book.count()]`,
    [0, 0]
  ],
  [
    'a timeout ends it',
    `const tx = await Author.beginTransaction({ timeout: 200 })
     const over = new Promise(resolve => tx.observe('after rollback', async () => resolve()))
     await Author.create({ name: 'Ann' }, { transaction: tx })
     await over
     return [tx.isActive(), await Author.count(), await code(tx.commit())]`,
    [false, 0, 'TRANSACTION_NOT_ACTIVE']
  ],
  [
    'dataSource.transaction ends with its function',
    `await db.transaction(async ({ Author, Book }) => { await Author.create({ name: 'Ann' }); await Book.create({ title: 'a' }) })
     const failed = await code(db.transaction(async () => { await Author.create({ name: 'Bob' }); throw new Error('no') }))
     let rollBack, work
     const over = new Promise(resolve => rollBack = resolve)
     const addLate = async () => { await Author.create({ name: 'Cid' }); await over; await Author.create({ name: 'Dan' }) }
     const late = await code(db.transaction(() => work = addLate(), { timeout: 10 }))
     rollBack()
     await code(work)
     const called2 = await called(cb => db.transaction(async () => 5, {}, cb))
     return [await Author.count(), await Book.count(), failed, late, called2, await code(new Promise(r => r(db.transaction())))]`,
    [1, 1, 'no', 'TRANSACTION_TIMEOUT', [null, 5], 'SCRIPT_ARGUMENT_INVALID']
  ],
  [
    'a write beside an open transaction is told that the database is busy, a read sees what is committed',
    `const tx = await Author.beginTransaction({})
     await Author.create({ name: 'Ann' }, { transaction: tx })
     const beside = [await Author.count(), await code(Author.create({ name: 'Bob' }))]
     await tx.commit()
     return [beside, await Author.count()]`,
    [[0, 'DATA_SOURCE_UNAVAILABLE'], 1]
  ],
  [
    'isActual tells whether an update has anything to do',
    `const before = await db.isActual()
     Author.defineProperty('age', { type: 'number' })
     return [before, await db.isActual(), await called(cb => db.isActual('Book', cb))]`,
    [true, false, [null, true]]
  ]
]
for (const [what, script, expected] of seen) {
  void t.test(what, async (t) => {
    t.strictSame(await runScript(t, script), expected)
  })
}
