import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

void t.test('sums and groups are those of plain code', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await aggregateTests(t, mongodb({ url: database.url, max: 2 }), {
    decimals: process.env['MODELWIRE_MONGODB_URL'] !== undefined,
    numRuns: 200
  })
})
