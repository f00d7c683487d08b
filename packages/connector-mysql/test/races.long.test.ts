import { raceTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

void t.test('clients of two processes that do the same at once', { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const module = import.meta.resolve('@modelwire/connector-mysql')
  await raceTests(t, { module, name: 'mysql', url: database.url })
})
