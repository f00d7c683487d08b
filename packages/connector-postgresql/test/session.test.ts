import { postgresql } from '@modelwire/connector-postgresql'
import { sessionTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'

void t.test('settings of sessions', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await runOn(url, "create view setting as select 1 as id, current_setting('work_mem') as value")
  const registry = new ModelRegistry()
  registry.define({ name: 'setting', strict: true, properties: { id: { type: 'number', id: true }, value: 'string' } })
  await sessionTests(t, {
    create: (settings) => postgresql({ url, ...settings }),
    session: { work_mem: '77kB' },
    read: async (connector) => {
      const rows = await connector.collection(registry.typeOf('setting')).find({ order: [], skip: 0 })
      return rows[0]?.['value']
    }
  })
})
