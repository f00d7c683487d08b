import { sqlite } from '@modelwire/connector-sqlite'
import { activityTests } from '@modelwire/connector-tests'
import t from 'tap'

void t.test('what is told of statements', async (t) => {
  await activityTests(t, {
    create: (settings) => sqlite({ file: ':memory:', ...settings }),
    verbs: ['insert', 'select', 'update', 'delete'],
    reportsLater: true
  })
  const connector = sqlite({ file: ':memory:' })
  t.strictSame(connector.activity?.pools?.(), [], 'a file has no pool')
})
