import { mysql } from '@modelwire/connector-mysql'
import { connectorTests, sqlDifferences } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'

void t.test('the MySQL connector passes the suite', { skip: await whyNoServer(), timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await connectorTests(t, {
    name: 'mysql',
    differences: sqlDifferences,
    create: async (models) => {
      const connector = mysql({ url: database.url, like: 'part', connectionLimit: 4 })
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
})
