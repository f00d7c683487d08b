import { postgresql } from '@modelwire/connector-postgresql'
import { nullTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { runs } from '@modelwire/test-waits'
import t from 'tap'

void t.test('null is stored where schemas allow it', { timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await nullTests(t, { name: 'postgresql', create: () => postgresql({ url: database.url }), runs: runs(20) })
})
