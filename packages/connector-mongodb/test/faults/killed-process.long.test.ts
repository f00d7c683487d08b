import { join } from 'node:path'
import { mongodb } from '@modelwire/connector-mongodb'
import { checkKilled } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'

const file = join(import.meta.dirname, '../fixtures/serve.js')

void t.test('a process that is killed under load has stored what it acknowledged', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await checkKilled(t, file, mongodb, { url: database.url, max: 4 })
})
