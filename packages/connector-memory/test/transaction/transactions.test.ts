import { EventEmitter, once } from 'node:events'
import { beginTransaction } from '@modelwire/core/connector'
import { filterOf } from '@modelwire/connector-tests'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'
import { memory } from '#src/memory.ts'
import { beginOn } from '../fixtures/in-transaction.ts'
import { outside } from '../fixtures/outside.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const account = {
  name: 'Account',
  properties: {
    id: { type: 'number', id: true, generated: true },
    owner: { type: 'string', index: true },
    code: { type: 'string', unique: true },
    balance: 'number'
  }
} as const
const entry = { name: 'Entry', options: { idInjection: false }, properties: { text: 'string' } } as const

async function open(t: Test) {
  const { connector, collection } = await openMemory(t, [account, entry], { transactions: true })
  return { connector, Account: collection('Account'), Entry: collection('Entry') }
}

const number = { kind: 'number' } as const
const everything = filterOf({})
const conflict = { code: 'TRANSACTION_CONFLICT', statusCode: 409 }
const duplicate = { code: 'DUPLICATE_KEY', statusCode: 409 }
const over = { code: 'TRANSACTION_OVER' }

void t.test('without the setting there are no transactions', async (t) => {
  const { connector } = await openMemory(t, [account])
  t.equal(connector.capabilities.transactions, false)
  t.notOk('transaction' in connector)
  t.notOk('beginTransaction' in connector)
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  const missing = { code: 'NOT_IMPLEMENTED', statusCode: 501 }
  await t.rejects(
    registry.transaction(async () => {}, { dataSource: 'db' }),
    missing
  )
  t.throws(() => memory({ transactions: 'yes' }), { code: 'OPTION_INVALID' })
})

void t.test(
  'a transaction sees the state at its begin and its own writes; others see neither until the commit',
  async (t) => {
    const { connector, Account } = await open(t)
    await Account.insert([{ owner: 'a', balance: 1 }])
    const one = await beginOn(connector)
    await Account.update(undefined, { balance: 2 })
    await Account.insert([{ owner: 'later', balance: 9 }])
    await one.run(async () => {
      t.match(await Account.findById(1), { balance: 1 }, 'what was committed since is not seen')
      t.equal(await Account.count(undefined), 1)
      const [made] = await Account.insert([{ owner: 'own', balance: 3 }])
      t.equal(made?.['id'], 3, 'ids are counted for all')
      t.same(
        (await Account.find(filterOf({ order: [{ path: ['balance'], type: number, descending: true }] }))).map(
          ({ owner }) => owner
        ),
        ['own', 'a']
      )
      const related = await Account.findRelated?.({ keys: ['own', 'later'], property: 'owner', filter: everything })
      t.same(
        related?.map((rows) => rows.length),
        [1, 0],
        'includes see it, too'
      )
    })
    t.equal(await Account.count(undefined), 2)
    await one.commit()
    t.same(
      (await Account.find(everything)).map(({ owner }) => owner),
      ['a', 'later', 'own']
    )
  }
)

void t.test('of two transactions that change one record the second one fails', async (t) => {
  const { connector, Account } = await open(t)
  await Account.insert([{ balance: 0 }, { balance: 0 }])
  const [one, two] = [await beginOn(connector), await beginOn(connector)]
  await one.run(async () => Account.upsert({ id: 1, balance: 1 }))
  await two.run(async () => Account.upsert({ id: 1, balance: 2 }))
  await one.commit()
  await t.rejects(two.commit(), conflict)
  t.match(await Account.findById(1), { balance: 1 })
  const three = await beginOn(connector)
  await Account.update(undefined, { balance: 5 })
  await t.rejects(
    three.run(async () => Account.delete(undefined)),
    conflict,
    'at once, where it is known'
  )
  await t.rejects(
    three.run(async () => Account.count(undefined)),
    conflict,
    'nothing more can be done in it'
  )
  await t.rejects(three.commit(), conflict)
  await t.rejects(three.rollback(), over)
  t.equal(await Account.count(undefined), 2)
})

void t.test('a conflict inside of work that does not mind is found at its end', async (t) => {
  const { connector, Account } = await open(t)
  await Account.insert([{ balance: 0 }])
  const attempts: number[] = []
  await connector.transaction?.(async ({ attempt }) => {
    attempts.push(attempt)
    const balance = Number((await Account.findById(1))?.['balance'])
    if (attempt === 1) await outside(async () => Account.update(undefined, { balance: 10 }))
    await Promise.allSettled([(async () => Account.update(undefined, { balance: balance + 1 }))()])
  })
  t.same(attempts, [1, 2])
  t.match(await Account.findById(1), { balance: 11 })
})

void t.test('unique values are checked at each write and at the commit', async (t) => {
  const { connector, Account } = await open(t)
  await Account.insert([{ code: 'taken' }])
  const [one, two] = [await beginOn(connector), await beginOn(connector)]
  await one.run(async () => {
    await t.rejects(async () => Account.insert([{ code: 'taken' }]), duplicate)
    await Account.insert([{ code: 'new' }])
    await t.rejects(async () => Account.insert([{ code: 'new' }]), duplicate, 'its own count')
  })
  await two.run(async () => Account.insert([{ code: 'new' }]))
  await one.commit()
  await t.rejects(two.commit(), conflict)
  t.equal(await Account.count(undefined), 2)
  const again = async () => connector.transaction?.(async () => Account.insert([{ code: 'new' }]))
  await t.rejects(again(), duplicate)
})

void t.test('values may change places within a transaction', async (t) => {
  const { connector, Account } = await open(t)
  await Account.insert([{ code: 'x' }, { code: 'y' }])
  await connector.transaction?.(async () => {
    await outside(async () => Account.insert([{ code: 'z' }]))
    await Account.upsert({ id: 1, code: 'w' })
    await Account.upsert({ id: 2, code: 'x' })
    await Account.upsert({ id: 1, code: 'y' })
  })
  t.same(
    (await Account.find(everything)).map(({ code }) => code),
    ['y', 'x', 'z']
  )
})

void t.test('ids are handed out once, whatever becomes of a transaction, and chosen ones collide', async (t) => {
  const { connector, Account } = await open(t)
  const [one, two] = [await beginOn(connector), await beginOn(connector)]
  const idOf = async () => (await Account.insert([{}]))[0]?.['id']
  const ids = [await one.run(idOf), await two.run(idOf), await idOf(), await one.run(idOf)]
  t.same(ids, [1, 2, 3, 4])
  await two.rollback()
  t.equal(await idOf(), 5)
  await one.commit()
  t.same(
    (await Account.find(filterOf({ order: [{ path: ['id'], type: number, descending: false }] }))).map(({ id }) => id),
    [1, 3, 4, 5]
  )
  const three = await beginOn(connector)
  await three.run(async () => Account.insert([{ id: 9 }]))
  await Account.insert([{ id: 9 }])
  await t.rejects(three.commit(), conflict)
})

void t.test('records without an id are changed and removed, too', async (t) => {
  const { connector, Entry } = await open(t)
  await Entry.insert([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  const one = await beginOn(connector)
  await one.run(async () => {
    await Entry.update(undefined, { text: 'z' })
    await Entry.insert([{ text: 'd' }])
  })
  const two = await beginOn(connector)
  await two.run(async () => Entry.delete(undefined))
  await one.commit()
  await t.rejects(two.commit(), conflict)
  t.same(
    (await Entry.find(everything)).map(({ text }) => text),
    ['z', 'z', 'z', 'd']
  )
  await connector.transaction?.(async () => Entry.delete(undefined))
  t.equal(await Entry.count(undefined), 0)
})

void t.test('a serializable transaction minds what it read; a snapshot does not', async (t) => {
  const { connector, Account } = await open(t)
  await Account.insert([{ owner: 'a' }, { owner: 'b' }])
  const skew = async (isolation: string) => {
    const [one, two] = [await beginOn(connector, isolation), await beginOn(connector, isolation)]
    await one.run(async () => (await Account.findById(1), Account.upsert({ id: 2, balance: 1 })))
    await two.run(async () => (await Account.findById(2), Account.upsert({ id: 1, balance: 1 })))
    await one.commit()
    return two.commit()
  }
  await skew('repeatable read')
  await t.rejects(skew('serializable'), conflict)
  const counting = await beginOn(connector, 'SERIALIZABLE')
  await counting.run(async () => Account.insert([{ balance: await Account.count(undefined) }]))
  await Account.insert([{ owner: 'phantom' }])
  await t.rejects(counting.commit(), conflict)
  const reading = await beginOn(connector, 'SERIALIZABLE')
  await reading.run(async () => Account.count(undefined))
  await Account.insert([{ owner: 'more' }])
  await reading.commit()
})

void t.test('a timeout, and closing the data source, roll back', async (t) => {
  const { connector, Account } = await open(t)
  const registry = new ModelRegistry()
  const source = registry.addDataSource('db', connector)
  const events = new EventEmitter()
  const late = once(events, 'late')
  const slow = registry.transaction(
    async () => {
      await Account.insert([{ owner: 'slow' }])
      await once(events, 'timeout')
      await t.rejects(async () => Account.insert([{ owner: 'late' }]), over)
      events.emit('late')
    },
    { timeout: 20 }
  )
  await t.rejects(slow, { code: 'TRANSACTION_TIMEOUT' })
  events.emit('timeout')
  await late
  const held = await beginTransaction(registry, source)
  await held.run(async () => Account.insert([{ owner: 'held' }]))
  const running = connector.transaction?.(async () => {
    await Account.insert([{ owner: 'running' }])
    await outside(async () => connector.disconnect())
  })
  await t.rejects(async () => running, { code: 'DATA_SOURCE_UNAVAILABLE' })
  await t.rejects(held.commit(), over)
  t.equal(await Account.count(undefined), 0)
})

void t.test('a conflict is tried again whatever the work makes of its error', async (t) => {
  const { connector, Account } = await open(t)
  await Account.insert([{ balance: 0 }])
  const attempts: number[] = []
  await connector.transaction?.(async ({ attempt }) => {
    attempts.push(attempt)
    await Account.count(undefined)
    if (attempt === 1) await outside(async () => Account.update(undefined, { balance: 1 }))
    try {
      await Account.update(undefined, { balance: 2 })
    } catch (cause) {
      throw new Error('refused', { cause })
    }
  })
  t.strictSame(attempts, [1, 2])
})

void t.test('of two transactions with one lock the later one conflicts; other locks do not matter', async (t) => {
  const { connector, Entry } = await open(t)
  const lock = async (key: string): Promise<void> => connector.lock?.([key])
  const [one, two, three] = [await beginOn(connector), await beginOn(connector), await beginOn(connector)]
  for (const each of [one, two]) await each.run(() => lock('a'))
  await three.run(() => lock('b'))
  await one.run(async () => Entry.insert([{ text: 'x' }]))
  await one.commit()
  await t.rejects(two.commit(), conflict)
  await three.commit()
  await t.rejects(lock('a'), { code: 'LOCK_OUTSIDE_TRANSACTION' })
  const after = await beginOn(connector)
  await after.run(() => lock('a'))
  await after.commit()
})
