import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'
import { mysql } from '@modelwire/connector-mysql'

void t.test(
  '10,000 sums and groups are those of plain code',
  { skip: await whyNoServer(), timeout: 600_000 },
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    await aggregateTests(t, mysql({ url: database.url, connectionLimit: 2 }), { numRuns: 10_000 })
  }
)
