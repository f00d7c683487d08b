import { postgresql } from '@modelwire/connector-postgresql'
import { connectorTests, sqlDifferences } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'

void t.test('the PostgreSQL connector passes the suite', { timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await connectorTests(t, {
    name: 'postgresql',
    differences: sqlDifferences,
    create: async (models) => {
      const connector = postgresql({ url: database.url, like: 'part', max: 4 })
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
})
