import { mysql } from '@modelwire/connector-mysql'
import { sessionTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'

void t.test('settings of sessions', { skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await runOn(url, 'create function session_value() returns int return @@session.sort_buffer_size')
  await runOn(url, 'create view setting as select 1 as id, session_value() as value')
  const registry = new ModelRegistry()
  registry.define({ name: 'setting', strict: true, properties: { id: { type: 'number', id: true }, value: 'string' } })
  await sessionTests(t, {
    create: (settings) => mysql({ url, ...settings }),
    session: { sort_buffer_size: 123456, lock_wait_timeout: 77 },
    read: async (connector) => {
      const rows = await connector.collection(registry.typeOf('setting')).find({ order: [], skip: 0 })
      return rows[0]?.['value']
    }
  })
})
