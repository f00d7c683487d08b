import { raceTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test('clients of two processes that do the same at once', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const module = import.meta.resolve('@modelwire/connector-postgresql')
  await raceTests(t, { module, name: 'postgresql', url: database.url })
})
