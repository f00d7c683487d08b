import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

void t.test('2,000 sums and groups are those of plain code', { timeout: 600_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await aggregateTests(t, mongodb({ url: database.url, max: 2 }), { decimals: false, numRuns: 2000 })
})
