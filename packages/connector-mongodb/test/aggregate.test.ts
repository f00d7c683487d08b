import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { runs } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

async function compare(t: Test, decimals: boolean): Promise<void> {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await aggregateTests(t, mongodb({ url: database.url, max: 2 }), { decimals, numRuns: runs(200) })
}

void t.test('sums and groups are those of plain code', { timeout: 120_000 }, async (t) => compare(t, false))

const skip =
  process.env['MODELWIRE_MONGODB_URL'] === undefined &&
  'needs MODELWIRE_MONGODB_URL: the server from npm adds no decimal numbers'

void t.test('sums of decimal numbers are exact', { timeout: 120_000, skip }, async (t) => compare(t, true))
