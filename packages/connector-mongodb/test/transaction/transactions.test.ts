import { conditionsOn, filterOf } from '@modelwire/connector-tests'
import { whyNoRealServer } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { openModels } from '../open-models.ts'

const account = {
  name: 'Account',
  properties: { id: { type: 'string', id: true }, balance: 'number', code: { type: 'string', unique: true } }
} as const

// A replica set: MODELWIRE_MONGODB_URL of a single server has no transactions either.
const skip = whyNoRealServer()

void t.test(
  'a server without transactions says so',
  { skip: skip === false ? 'the server has them' : false },
  async (t) => {
    const { connector } = await openModels(t, [account])
    t.equal(connector.capabilities.transactions, false)
    const missing = { code: 'NOT_IMPLEMENTED', statusCode: 501, message: /replica set/ }
    await t.rejects(async () => connector.transaction?.(async () => {}), missing)
    await t.rejects(async () => connector.beginTransaction?.(), missing)
    const serializable = { isolation: 'SERIALIZABLE' }
    await t.rejects(async () => connector.transaction?.(async () => {}, serializable), {
      code: 'ISOLATION_LEVEL_UNKNOWN'
    })
  }
)

void t.test('a transaction keeps all or nothing', { skip }, async (t) => {
  const { connector, collection } = await openModels(t, [account])
  const Account = collection('Account')
  await Account.insert([{ id: 'a', balance: 10 }])
  await t.rejects(
    async () =>
      connector.transaction?.(async () => {
        await Account.insert([{ id: 'b', balance: 1 }])
        t.equal((await Account.find(filterOf({}))).length, 2, 'it sees what it did')
        throw new Error('no')
      }),
    { message: 'no' }
  )
  t.equal((await Account.find(filterOf({}))).length, 1)
  const done = await connector.transaction?.(async ({ attempt }) => {
    await Promise.all([Account.insert([{ id: 'b', balance: 1 }]), Account.update(undefined, { balance: 5 })])
    return attempt
  })
  t.equal(done, 1)
  t.equal((await Account.find(filterOf({}))).length, 2)
})

void t.test('of transactions that change one record one is done again', { skip }, async (t) => {
  const { connector, collection } = await openModels(t, [account])
  const Account = collection('Account')
  await Account.insert([{ id: 'a', balance: 0 }])
  const add = async () =>
    connector.transaction?.(async () => {
      const balance = Number((await Account.findById('a'))?.['balance'])
      await Account.update(undefined, { balance: balance + 1 })
    })
  await Promise.all([add(), add(), add()])
  t.match(await Account.findById('a'), { balance: 3 })
})

void t.test('after a refused command nothing is kept', { skip }, async (t) => {
  const { connector, collection } = await openModels(t, [account])
  const Account = collection('Account')
  await Account.insert([{ id: 'a', balance: 0 }])
  await t.rejects(
    async () =>
      connector.transaction?.(async () => {
        await Account.insert([{ id: 'b' }])
        await t.rejects(async () => Account.insert([{ id: 'a' }]), { code: 'DUPLICATE_KEY' })
      }),
    { code: 'TRANSACTION_ABORTED' }
  )
  t.equal(await Account.findById('b'), undefined)
})

void t.test('a transaction that its caller ends', { skip }, async (t) => {
  const { connector, collection } = await openModels(t, [account])
  const Account = collection('Account')
  const open = await connector.beginTransaction?.({ isolation: 'READ COMMITTED' })
  await open?.run(async () => Account.insert([{ id: 'a' }]))
  t.equal(await Account.findById('a'), undefined, 'others do not see it')
  await open?.commit()
  t.match(await Account.findById('a'), { id: 'a' })
  await t.rejects(async () => open?.commit(), { code: 'TRANSACTION_OVER' })
  await t.rejects(async () => open?.run(async () => {}), { code: 'TRANSACTION_OVER' })
})

void t.test('several new records, one of which is refused, are none', { skip }, async (t) => {
  const { connector, collection, model } = await openModels(t, [account])
  await connector.migrate?.([model('Account')], { empty: false })
  const Account = collection('Account')
  await Account.insert([{ id: 'a', code: 'x' }])
  await t.rejects(
    async () =>
      Account.insert([
        { id: 'b', code: 'y' },
        { id: 'c', code: 'x' }
      ]),
    { code: 'DUPLICATE_KEY' }
  )
  const ids = await Account.find(filterOf({ where: conditionsOn(model('Account')).is('balance', 'eq', null) }))
  t.equal(ids.length, 1)
})
