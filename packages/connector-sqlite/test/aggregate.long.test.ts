import { aggregateTests } from '@modelwire/connector-tests'
import t from 'tap'
import { sqlite } from '@modelwire/connector-sqlite'

void t.test('10,000 sums and groups are those of plain code', async (t) =>
  aggregateTests(t, sqlite(), { numRuns: 10_000 })
)
