import { sqlite } from '@modelwire/connector-sqlite'
import { nullTests } from '@modelwire/connector-tests'
import { runs } from '@modelwire/test-waits'
import t from 'tap'

void t.test('null is stored where schemas allow it', async (t) =>
  nullTests(t, { name: 'sqlite', create: () => sqlite({ file: ':memory:' }), runs: runs(60) })
)
