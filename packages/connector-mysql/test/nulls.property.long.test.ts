import { mysql } from '@modelwire/connector-mysql'
import { nullTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import { runs } from '@modelwire/test-waits'
import t from 'tap'

const title = 'null is stored where schemas allow it'
void t.test(title, { skip: await whyNoServer(), timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await nullTests(t, { name: 'mysql', create: () => mysql({ url: database.url }), runs: runs(20) })
})
