import { mysql } from '@modelwire/connector-mysql'
import { busyMigrationTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

void t.test('migrations of tables that are in use', { skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await busyMigrationTests(t, {
    name: 'mysql',
    mappingKey: 'mysql',
    upsert: { patch: 1, insert: 1 },
    create: (settings) => mysql({ url, ...settings })
  })
})
