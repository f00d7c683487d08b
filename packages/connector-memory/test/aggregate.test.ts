import { aggregateTests } from '@modelwire/connector-tests'
import t from 'tap'
import { memory } from '#src/memory.ts'

void t.test('sums and groups are those of plain code', async (t) => aggregateTests(t, memory()))
