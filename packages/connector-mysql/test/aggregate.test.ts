import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'
import { mysql } from '@modelwire/connector-mysql'
import { runs } from '@modelwire/test-waits'

void t.test('sums and groups are those of plain code', { skip: await whyNoServer(), timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await aggregateTests(t, mysql({ url: database.url, connectionLimit: 2 }), { numRuns: runs(200) })
})
