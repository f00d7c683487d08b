import { mysql } from '@modelwire/connector-mysql'
import { sqlSchemaTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'

const title = 'the MySQL connector passes the suite of tables'
void t.test(title, { skip: await whyNoServer(), timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await sqlSchemaTests(t, {
    name: 'mysql',
    mappingKey: 'mysql',
    upsert: { patch: 2, insert: 2 },
    create: (settings) => mysql({ url: database.url, ...settings })
  })
})
