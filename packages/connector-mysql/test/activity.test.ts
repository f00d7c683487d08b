import { mysql } from '@modelwire/connector-mysql'
import { activityTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

void t.test('what is told of statements and connections', { skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await activityTests(t, {
    create: (settings) => mysql({ url, ...settings }),
    verbs: ['insert', 'select', 'update', 'delete'],
    single: { connectionLimit: 1 },
    reportsLater: true
  })
})
