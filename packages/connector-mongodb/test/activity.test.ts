import { mongodb } from '@modelwire/connector-mongodb'
import { activityTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'

void t.test('what is told of commands', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await activityTests(t, {
    create: (settings) => mongodb({ url, ...settings }),
    verbs: ['insert', 'find', 'update', 'delete']
  })
})

void t.test(
  'connections are counted from the first command on, and only where statements are listened to',
  async (t) => {
    const { url, drop } = await createTestDatabase()
    const [heard, unheard] = [mongodb({ url, maxPoolSize: 1 }), mongodb({ url })]
    t.teardown(async () => {
      await Promise.all([heard.disconnect(), unheard.disconnect()])
      await drop()
    })
    heard.activity?.listen(() => {})
    t.strictSame(heard.activity?.pools?.(), [])
    await Promise.all([heard.connect(), unheard.connect()])
    await Promise.all([heard.ping(), unheard.ping()])
    t.strictSame(heard.activity?.pools?.(), [{ open: 1, idle: 1, waiting: 0 }])
    t.strictSame(unheard.activity?.pools?.(), [])
    await heard.disconnect()
    t.strictSame(heard.activity?.pools?.(), [])
  }
)
