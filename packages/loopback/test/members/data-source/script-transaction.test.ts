import type { OpenTransaction } from '@modelwire/core/connector'
import t from 'tap'
import {
  joiningTransaction,
  readTransactionOptions,
  ScriptTransaction
} from '#src/members/data-source/script-transaction.ts'

/** A transaction that notes what is done with it. */
function fakeTransaction(log: string[], failing: readonly string[] = []): OpenTransaction {
  const note = (what: string): void => {
    log.push(what)
    if (failing.includes(what)) throw new Error(what)
  }
  return {
    run: async (work) => {
      note('run')
      return work()
    },
    commit: async () => note('commit'),
    rollback: async () => note('rollback')
  }
}

const noError = (error: unknown): never => {
  throw error
}

void t.test('observers hear of the beginning and the end of a commit, one after the other', async (t) => {
  const log: string[] = []
  const transaction = new ScriptTransaction(fakeTransaction(log), undefined, noError)
  for (const name of ['before commit', 'after commit', 'before rollback']) {
    transaction.observe(name, (context: { operation: string; transaction: unknown }, next: () => void) => {
      t.equal(context.transaction, transaction)
      log.push(`${name} ${context.operation}`)
      setImmediate(next)
    })
  }
  await transaction.commit()
  t.same(log, ['before commit commit', 'commit', 'after commit commit'])
  t.equal(transaction.isActive(), false)
  await t.rejects(async () => transaction.rollback(), { code: 'TRANSACTION_NOT_ACTIVE' })
  await t.rejects(
    transaction.run(async () => {}),
    { code: 'TRANSACTION_NOT_ACTIVE', statusCode: 500 }
  )
})

void t.test(
  'an observer that fails before the commit leaves the transaction open; a removed one is not asked',
  async (t) => {
    const log: string[] = []
    const transaction = new ScriptTransaction(fakeTransaction(log), undefined, noError)
    const refuse = async (): Promise<never> => {
      throw new Error('no')
    }
    transaction.observe('before commit', refuse)
    await t.rejects(async () => transaction.commit(), { message: 'no' })
    t.equal(transaction.isActive(), true)
    t.equal(transaction.removeObserver('before commit', refuse), true)
    t.equal(transaction.removeObserver('before commit', refuse), false)
    transaction.observe('before rollback', refuse)
    transaction.clearObservers('before rollback')
    await transaction.rollback()
    t.same(log, ['rollback'])
    t.throws(() => transaction.observe('before commit', 'text'), { code: 'SCRIPT_ARGUMENT_INVALID' })
  }
)

void t.test('commit and rollback take callbacks', async (t) => {
  const log: string[] = []
  const transaction = new ScriptTransaction(fakeTransaction(log), undefined, noError)
  const first = await new Promise<unknown[]>((resolve) => transaction.commit((...args: unknown[]) => resolve(args)))
  t.same(first, [null])
  const second = await new Promise<unknown[]>((resolve) => transaction.rollback((...args: unknown[]) => resolve(args)))
  t.match(second, [{ code: 'TRANSACTION_NOT_ACTIVE' }])
  t.equal(JSON.stringify(transaction), JSON.stringify(transaction.id))
  t.equal(String(transaction), transaction.id)
})

void t.test('after its timeout a transaction is rolled back, unless an observer of it fails', async (t) => {
  const log: string[] = []
  const expired = new Promise<void>((resolve) => {
    const transaction = new ScriptTransaction(fakeTransaction(log), 5, noError)
    transaction.observe('timeout', () => void log.push('timeout'))
    transaction.observe('after rollback', () => resolve())
  })
  await expired
  t.same(log, ['timeout', 'rollback'])
  const told = new Promise<unknown>((resolve) => {
    const kept = new ScriptTransaction(fakeTransaction(log), 5, (error) => resolve([error, kept.isActive()]))
    kept.observe('timeout', () => {
      throw new Error('keep it')
    })
  })
  t.match(await told, [{ message: 'keep it' }, true])
})

void t.test('data access runs in the transaction of its options', async (t) => {
  const log: string[] = []
  const transaction = new ScriptTransaction(fakeTransaction(log), undefined, noError)
  const method = joiningTransaction(async (...args) => args.length)
  t.equal(await method({}, { transaction }), 2)
  t.same(log, ['run'])
  t.equal(await method({ transaction: 'text' }), 1)
  t.equal(await method(), 0)
  t.same(log, ['run'])
})

void t.test('options are a level, or an object with one', async (t) => {
  t.same(readTransactionOptions('SERIALIZABLE'), { isolation: 'SERIALIZABLE', timeout: undefined })
  t.same(readTransactionOptions(undefined), { isolation: 'READ COMMITTED', timeout: undefined })
  t.same(readTransactionOptions({ timeout: 5 }), { isolation: 'READ COMMITTED', timeout: 5 })
  t.throws(() => readTransactionOptions(5), { code: 'SCRIPT_ARGUMENT_INVALID' })
})
