import { connectorTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

void t.test('the MongoDB connector passes the suite', { timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await connectorTests(t, {
    name: 'mongodb',
    create: async () => {
      await database.client.db().dropDatabase()
      return mongodb({ url: database.url, max: 4 })
    }
  })
})
