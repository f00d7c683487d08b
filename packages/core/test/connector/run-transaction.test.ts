import { once } from 'node:events'
import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import type { Connector, Transaction } from '#src/contract/connector.ts'
import { ModelRegistry } from '#src/index.ts'

/** A connector that does the work again until the given attempt. */
function transactional(attempts = 1): Connector {
  const connector = memory()
  return Object.assign(Object.create(connector) as Connector, {
    capabilities: { ...connector.capabilities, transactions: true },
    collection: (model: Parameters<Connector['collection']>[0]) => connector.collection(model),
    transaction: async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
      for (let attempt = 1; attempt < attempts; attempt++) await work({ attempt })
      return work({ attempt: attempts })
    }
  })
}

t.test('a transaction runs on the data source that has them', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('plain', memory())
  registry.addDataSource('db', transactional())
  t.match(await registry.transaction(async (transaction) => transaction), { attempt: 1 })
  await t.rejects(
    registry.transaction(async () => {}, { dataSource: 'plain' }),
    { code: 'NOT_IMPLEMENTED' }
  )
  await t.rejects(
    registry.transaction(async () => {}, { dataSource: 'nowhere' }),
    { code: 'NOT_IMPLEMENTED' }
  )
})

t.test('one of several data sources has to be named', async (t) => {
  const registry = new ModelRegistry()
  await t.rejects(
    registry.transaction(async () => {}),
    { code: 'NOT_IMPLEMENTED' }
  )
  registry.addDataSource('a', transactional())
  registry.addDataSource('b', transactional())
  await t.rejects(
    registry.transaction(async () => {}),
    { code: 'DATA_SOURCE_AMBIGUOUS' }
  )
  t.equal(await registry.transaction(async () => 1, { dataSource: 'a' }), 1)
})

t.test('only the changes of the attempt that was committed are told', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', transactional(3))
  registry.define({ name: 'Note' })
  registry.attach('Note', 'db')
  const told: unknown[] = []
  registry.changes.subscribe('Note', ({ id }) => told.push(id))
  await registry.transaction(async () => registry.get('Note').create({}))
  t.same(told, [3])
})

t.test('a listener that fails does not make a committed change fail', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory({ transactions: true }))
  registry.define({ name: 'Note', properties: { text: 'string' } })
  registry.attach('Note', 'db')
  registry.changes.subscribe('Note', () => {
    throw new Error('a listener fails')
  })
  const warned = once(process, 'warning')
  await registry.transaction(async () => registry.get('Note').create({ text: 'x' }))
  t.match(await warned, [{ message: 'a listener fails' }])
  t.equal(await registry.get('Note').count(), 1)
})
