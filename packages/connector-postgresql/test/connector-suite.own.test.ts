import { postgresql } from '@modelwire/connector-postgresql'
import { connectorTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase } from './fixtures/test-server.ts'

const skip = {
  'what is absent is told from null': 'a column has null for both',
  'null is zero in an order': 'null stands first, as the database orders it'
}

void t.test('the PostgreSQL connector passes the suite', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await connectorTests(t, {
    name: 'postgresql',
    skip,
    create: async (models) => {
      const connector = postgresql({ url: database.url, like: 'part', max: 4 })
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
})
