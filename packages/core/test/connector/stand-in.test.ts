import { memory } from '@modelwire/connector-memory'
import { modelwire, ModelRegistry } from '@modelwire/core'
import { withConnectors } from '@modelwire/core/plugin'
import Fastify from 'fastify'
import t from 'tap'

t.test('data sources get the connectors that are chosen for them, and their own afterwards', async (t) => {
  const [own, other] = [memory(), memory()]
  const names: string[] = []
  const app = Fastify()
  t.teardown(() => app.close())
  await withConnectors(
    (name, connector) => {
      names.push(name)
      return name === 'kept' ? connector : other
    },
    async () => {
      await app.register(modelwire, { dataSources: { db: own, kept: own }, models: [] })
      await app.ready()
    }
  )
  t.same(names, ['db', 'kept'])
  t.equal(app.models.dataSources.get('db')?.connector, other)
  t.equal(app.models.dataSources.get('kept')?.connector, own)
  t.equal(new ModelRegistry().addDataSource('db', own).connector, own)
})
