import { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { conditionsOn } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'
import { LoopbackConnector } from '#src/loopback-connector.ts'
import { loadModule } from './load-module.ts'

const tables = `
  create table account (id serial primary key, owner text unique not null, amount integer check (amount >= 0));
  create table entry (id serial primary key, accountid integer references account)
`

async function open(t: Test) {
  const { url, drop } = await createTestDatabase()
  await runOn(url, tables)
  const registry = new ModelRegistry()
  registry.define({
    name: 'Account',
    properties: { id: { type: 'number', id: true, generated: true }, owner: 'string', amount: 'number' }
  })
  registry.define({
    name: 'Entry',
    properties: { id: { type: 'number', id: true, generated: true }, accountId: 'number' }
  })
  const connector = new LoopbackConnector(loadModule('loopback-connector-postgresql'), 'db', { url })
  t.teardown(async () => {
    await connector.disconnect()
    await drop()
  })
  registry.addDataSource('db', connector)
  for (const name of ['Account', 'Entry']) registry.attach(name, 'db')
  await connector.connect()
  const [Account, Entry] = [registry.typeOf('Account'), registry.typeOf('Entry')]
  return { connector, Account: collectionOf(Account), Entry: collectionOf(Entry), on: conditionsOn(Account) }
}

function collectionOf({ collection }: ModelType): NonNullable<ModelType['collection']> {
  if (collection === undefined) throw new Error('the model is not attached')
  return collection
}

void t.test('what a transaction did is kept when it resolves, and taken back when it rejects', async (t) => {
  const { connector, Account } = await open(t)
  t.same(connector.capabilities.transactions, true)
  t.same(connector.capabilities.atomicity, 'database')
  await connector.transaction(async () => Account.insert([{ owner: 'a', amount: 1 }]))
  const failed = connector.transaction(async () => {
    await Account.insert([{ owner: 'b', amount: 1 }])
    t.equal(await Account.count(undefined), 2)
    throw new RangeError('enough')
  })
  await t.rejects(failed, { message: 'enough' })
  t.equal(await Account.count(undefined), 1)
  await t.rejects(
    connector.transaction(async () => 1, { isolation: 'x; drop table account' }),
    { code: 'ISOLATION_LEVEL_UNKNOWN' }
  )
})

void t.test('a transaction that is begun is ended by its caller', async (t) => {
  const { connector, Account } = await open(t)
  const open1 = await connector.beginTransaction({ isolation: 'serializable' })
  await open1.run(async () => Account.insert([{ owner: 'a', amount: 1 }]))
  t.equal(await Account.count(undefined), 0, 'nobody else sees it')
  await open1.commit()
  t.equal(await Account.count(undefined), 1)
  await t.rejects(
    open1.run(async () => Account.count(undefined)),
    { code: 'TRANSACTION_OVER' }
  )
  await t.rejects(open1.rollback(), { code: 'TRANSACTION_OVER' })
})

void t.test('what the database refuses has the code of other connectors', async (t) => {
  const { Account, Entry, on } = await open(t)
  await Account.insert([{ owner: 'a', amount: 1 }])
  const duplicate = { code: 'DUPLICATE_KEY', property: 'owner', statusCode: 409 }
  await t.rejects(async () => Account.insert([{ owner: 'a' }]), duplicate)
  await t.rejects(async () => Account.insert([{ owner: 'b' }, { owner: 'a' }]), duplicate)
  t.equal(await Account.count(undefined), 1, 'all or none')
  await t.rejects(async () => Account.update(undefined, { amount: -1 }), {
    code: 'CONSTRAINT_VIOLATED',
    statusCode: 422
  })
  await t.rejects(async () => Account.update(undefined, { amount: 1e15 }), { code: 'VALUE_REFUSED', statusCode: 400 })
  await t.rejects(async () => Entry.insert([{ accountId: 9 }]), { code: 'CONSTRAINT_VIOLATED' })
  t.equal(await Account.count(on.is('amount', 'gt', 0.5)), 1, 'a fraction is no value of the column')
})

void t.test('two transactions that change one record conflict', async (t) => {
  const { connector, Account, on } = await open(t)
  await Account.insert([{ owner: 'a', amount: 1 }])
  const change = async (): Promise<unknown> => Account.update(on.is('owner', 'eq', 'a'), { amount: 2 })
  const first = await connector.beginTransaction({ isolation: 'repeatable read' })
  const second = await connector.beginTransaction({ isolation: 'repeatable read' })
  for (const each of [first, second]) await each.run(async () => Account.count(undefined))
  await first.run(change)
  await first.commit()
  await t.rejects(second.run(change), { code: 'TRANSACTION_CONFLICT', statusCode: 409 })
  await second.rollback()
})
