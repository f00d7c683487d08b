import { EventEmitter, once } from 'node:events'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

// The server of the tests calls itself a replica set here: what is seen is what it is told, not what becomes of a transaction.

async function open(t: Test) {
  const server = await startOwnServer({ replicaSet: 'rs' })
  const registry = new ModelRegistry()
  registry.define({ name: 'Item', properties: { id: { type: 'string', id: true }, n: 'number' } })
  const connector = mongodb({ url: `${server.url}/protocol` })
  t.teardown(async () => {
    await connector.disconnect()
    await server.stop()
  })
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  const { collection } = registry.typeOf('Item')
  if (collection === undefined) throw new Error('Item is not attached')
  /** The commands of transactions, with what begins them. */
  const told = () =>
    server.commands
      .filter(({ autocommit }) => autocommit === false)
      .map((command) => `${Object.keys(command)[0]}${command['startTransaction'] === true ? ' begins' : ''}`)
  return { server, connector, collection, told }
}

const conflict = {
  ok: 0,
  code: 112,
  errmsg: 'conflict',
  codeName: 'WriteConflict',
  errorLabels: ['TransientTransactionError']
}

void t.test('commands of a transaction have one session, one after the other', async (t) => {
  const { server, connector, collection, told } = await open(t)
  t.equal(connector.capabilities.transactions, true)
  await connector.transaction?.(async () => {
    await Promise.all([
      collection.insert([{ id: 'a' }]),
      collection.update(undefined, { n: 1 }),
      collection.findById('a')
    ])
  })
  const names = told().map((each) => each.replace(' begins', ''))
  t.same(names.toSorted(), ['commitTransaction', 'find', 'insert', 'update'])
  t.match([told()[0], told()[3]], [/ begins$/, 'commitTransaction'])
  const [first, ...others] = server.commands.filter(({ autocommit }) => autocommit === false)
  for (const other of others) t.match(other, { lsid: first?.['lsid'], txnNumber: first?.['txnNumber'] })
  t.match(first, { readConcern: { level: 'snapshot' } })
  t.match(server.commands.at(-1), { writeConcern: { w: 'majority' } })
  await collection.findById('a')
  t.equal(server.commands.at(-1)?.['txnNumber'], undefined, 'afterwards none')
})

void t.test('a short read of a client that left belongs to its transaction', async (t) => {
  const { connector, collection, told } = await open(t)
  await connector.transaction?.(async () => {
    await collection.insert([{ id: 'a' }])
    t.match(await collection.find({ order: [], skip: 0 }, { signal: AbortSignal.abort() }), [{ id: 'a' }])
  })
  t.same(told(), ['insert begins', 'find', 'commitTransaction'])
})

void t.test('work is done again after a conflict', async (t) => {
  const { server, connector, collection, told } = await open(t)
  server.failNext('insert', conflict)
  const attempts: number[] = []
  await connector.transaction?.(async ({ attempt }) => {
    attempts.push(attempt)
    await collection.insert([{ id: 'a' }])
  })
  t.same(attempts, [1, 2])
  t.same(told(), ['insert begins', 'abortTransaction', 'insert begins', 'commitTransaction'])
})

void t.test('a conflict of the commit is one of the transaction', async (t) => {
  const { server, connector, collection } = await open(t)
  server.failNext('commitTransaction', conflict)
  const attempts: number[] = []
  await connector.transaction?.(async ({ attempt }) => {
    attempts.push(attempt)
    await collection.update(undefined, { n: 1 })
  })
  t.same(attempts, [1, 2])
})

void t.test('work that fails, or whose command did, is taken back', async (t) => {
  const { server, connector, collection, told } = await open(t)
  const fail = async () => {
    await collection.update(undefined, { n: 1 })
    throw new Error('no')
  }
  await t.rejects(async () => connector.transaction?.(fail), { message: 'no' })
  t.same(told(), ['update begins', 'abortTransaction'])
  server.failNext('update', { ok: 0, code: 121, errmsg: 'validator', codeName: 'DocumentValidationFailure' })
  const notMinding = async () => {
    await t.rejects(async () => collection.update(undefined, { n: 1 }), { code: 'CONSTRAINT_VIOLATED' })
    await t.rejects(async () => collection.update(undefined, { n: 2 }), { code: 'TRANSACTION_ABORTED' })
    await t.resolves(async () => collection.findById('a'), 'what is stored can be read')
  }
  await t.rejects(async () => connector.transaction?.(notMinding), { code: 'TRANSACTION_ABORTED' })
  t.same(told().slice(2), ['update begins', 'abortTransaction'])
})

void t.test('a transaction that its caller ends', async (t) => {
  const { connector, collection, told } = await open(t)
  const open1 = await connector.beginTransaction?.({ isolation: 'READ_COMMITTED' })
  await open1?.run(async () => collection.insert([{ id: 'a' }]))
  await open1?.commit()
  const open2 = await connector.beginTransaction?.()
  const events = new EventEmitter()
  const ended = once(events, 'ended')
  let left: Promise<unknown> | undefined
  await open2?.run(async () => {
    await collection.update(undefined, { n: 1 })
    left = afterEvent(ended, async () => collection.update(undefined, { n: 2 }))
  })
  const refused = t.rejects(async () => left, { code: 'TRANSACTION_OVER' }, 'work that is left behind takes no effect')
  await open2?.rollback()
  events.emit('ended')
  t.same(told(), ['insert begins', 'commitTransaction', 'update begins', 'abortTransaction'])
  await refused
  await t.rejects(async () => open2?.commit(), { code: 'TRANSACTION_OVER' })
  await t.rejects(async () => open1?.run(async () => {}), { code: 'TRANSACTION_OVER' })
})

const afterEvent = async <Result>(event: Promise<unknown>, work: () => Promise<Result>): Promise<Result> => {
  await event
  return work()
}

void t.test('several new records are stored in a transaction, one alone is not', async (t) => {
  const { collection, told } = await open(t)
  await collection.insert([{ id: 'a' }, { id: 'b' }])
  t.same(told(), ['insert begins', 'commitTransaction'])
  await collection.insert([{ id: 'c' }])
  t.equal(told().length, 2)
})
