import { aggregateTests } from '@modelwire/connector-tests'
import t from 'tap'
import { sqlite } from '@modelwire/connector-sqlite'

void t.test('sums and groups are those of plain code', async (t) => aggregateTests(t, sqlite()))
