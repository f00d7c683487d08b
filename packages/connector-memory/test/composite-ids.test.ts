import { compositeIdTests } from '@modelwire/connector-tests'
import t from 'tap'
import { memory } from '#src/memory.ts'

void t.test('ids of several properties', async (t) =>
  compositeIdTests(t, { name: 'memory', create: () => memory({ transactions: true }) })
)
