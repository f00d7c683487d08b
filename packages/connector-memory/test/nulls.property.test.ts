import { memory } from '@modelwire/connector-memory'
import { nullTests } from '@modelwire/connector-tests'
import { runs } from '@modelwire/test-waits'
import t from 'tap'

void t.test('null is stored where schemas allow it', async (t) =>
  nullTests(t, { name: 'memory', create: () => memory(), runs: runs(60) })
)
