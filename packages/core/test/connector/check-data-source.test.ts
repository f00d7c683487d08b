import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { ModelRegistry } from '#src/registry.ts'

void t.test('a data source is healthy while it is connected and its database answers', async (t) => {
  const connector = memory()
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  const [health] = registry.healthChecks
  t.match(health, { kind: 'dataSources', name: 'db' })
  const check = async (): Promise<void> => health?.check()
  await t.rejects(check, { code: 'DATA_SOURCE_UNAVAILABLE', message: /closed/ })
  await registry.connect()
  await check()
  connector.ping = async () => Promise.reject(new Error('no answer'))
  await t.rejects(check, { message: 'no answer' })
  await registry.disconnect()
})

void t.test('a data source in the place of another one is checked in its place', async (t) => {
  const registry = new ModelRegistry()
  for (let count = 0; count < 2; count++) registry.addDataSource('db', memory())
  t.equal(registry.healthChecks.length, 1)
  await registry.connect()
  await registry.healthChecks[0]?.check()
  await registry.disconnect()
})
