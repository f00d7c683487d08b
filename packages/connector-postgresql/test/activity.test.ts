import { postgresql } from '@modelwire/connector-postgresql'
import { activityTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test('what is told of statements and connections', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await activityTests(t, {
    create: (settings) => postgresql({ url, ...settings }),
    verbs: ['insert', 'select', 'update', 'delete'],
    single: { max: 1 },
    reportsLater: true
  })
})
