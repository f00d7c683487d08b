import { mysql } from '@modelwire/connector-mysql'
import { connectorTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from './fixtures/test-server.ts'

const skip = {
  'what is absent is told from null': 'a column has null for both',
  'null is zero in an order': 'null stands first, as the database orders it'
}

void t.test('the MySQL connector passes the suite', { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await connectorTests(t, {
    name: 'mysql',
    skip,
    create: async (models) => {
      const connector = mysql({ url: database.url, like: 'part', connectionLimit: 4 })
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
})
