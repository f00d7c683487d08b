import { mysql } from '@modelwire/connector-mysql'
import { exactNumberTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'

void t.test('exact numbers', { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await exactNumberTests(t, {
    name: 'mysql',
    mappingKey: 'mysql',
    upsert: { patch: 1, insert: 1 },
    create: (settings) => mysql({ url: database.url, ...settings })
  })
})
