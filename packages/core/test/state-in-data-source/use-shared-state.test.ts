import { memory } from '@modelwire/connector-memory'
import Fastify from 'fastify'
import t from 'tap'
import type { Connector } from '@modelwire/core/connector'
import { modelwire } from '@modelwire/core'

t.test('a data source keeps the shared state', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, sharedState: 'db' })
  await app.ready()
  const { shared } = app.models
  t.equal((await shared.cells.count('a', 1000)).count, 1)
  t.equal((await shared.cells.count('a', 1000)).count, 2)
  await shared.cells.count('long '.repeat(100), 1000)
  t.equal((await shared.cells.count('long '.repeat(100), 1000)).count, 2)
  t.equal(await app.models.get('SharedState').count(), 2)
  t.equal(shared.facts, undefined, 'facts are in models of their own')
  t.equal(shared.hasMessages, false)
})

t.test('a store or a data source is refused that cannot keep it', async (t) => {
  const register = async (options: object): Promise<void> => {
    await Fastify().register(modelwire, options).ready()
  }
  const db = memory()
  const nothing = async (): Promise<void> => undefined
  const connectorWith = (capabilities: object): Connector => ({
    name: 'other',
    capabilities: { ...db.capabilities, ...capabilities },
    collection: (model) => db.collection(model),
    connect: nothing,
    disconnect: nothing,
    ping: nothing
  })
  const [ofProcess, without] = [connectorWith({ atomicity: 'process' }), connectorWith({ operations: new Set() })]
  const key = 'sharedState'
  for (const connector of [ofProcess, without])
    await t.rejects(register({ dataSources: { db: connector }, sharedState: 'db' }), {
      code: 'OPTION_INVALID',
      where: { key }
    })
  await t.rejects(register({ dataSources: { db }, sharedState: 'none' }), { code: 'DATA_SOURCE_UNKNOWN' })
  await t.rejects(register({ sharedState: 7 }), { code: 'OPTION_INVALID', where: { key } })
})
