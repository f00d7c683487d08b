import { mysql } from '@modelwire/connector-mysql'
import { sqlTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'

const title = 'the MySQL connector passes the suite of SQL connectors'
void t.test(title, { skip: await whyNoServer(), timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await sqlTests(t, {
    name: 'mysql',
    mappingKey: 'mysql',
    insertMany: 5,
    upsert: { patch: 2, insert: 2 },
    create: (settings) => mysql({ url: database.url, ...settings })
  })
})
