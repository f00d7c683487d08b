import { postgresql } from '@modelwire/connector-postgresql'
import { busyMigrationTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test('migrations of tables that are in use', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await busyMigrationTests(t, {
    name: 'postgresql',
    mappingKey: 'postgresql',
    upsert: { patch: 1, insert: 1 },
    create: (settings) => postgresql({ url, ...settings })
  })
})
