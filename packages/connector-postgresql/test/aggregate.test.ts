import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'
import { postgresql } from '@modelwire/connector-postgresql'
import { runs } from '@modelwire/test-waits'

void t.test('sums and groups are those of plain code', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await aggregateTests(t, postgresql({ url: database.url, max: 2 }), { numRuns: runs(200) })
})
