import { postgresql } from '@modelwire/connector-postgresql'
import { sqlSchemaTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'

void t.test('the PostgreSQL connector passes the suite of tables', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await sqlSchemaTests(t, {
    name: 'postgresql',
    mappingKey: 'postgresql',
    // The second one lets the database's own ids go on above the chosen one.
    upsert: { patch: 1, insert: 2 },
    create: (settings) => postgresql({ url: database.url, ...settings })
  })
})
