import { postgresql } from '@modelwire/connector-postgresql'
import { exactNumberTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'

void t.test('exact numbers', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await exactNumberTests(t, {
    name: 'postgresql',
    mappingKey: 'postgresql',
    upsert: { patch: 1, insert: 1 },
    create: (settings) => postgresql({ url: database.url, ...settings })
  })
})
