import { join } from 'node:path'
import { postgresql } from '@modelwire/connector-postgresql'
import { checkKilled } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'

const file = join(import.meta.dirname, '../fixtures/serve.js')

void t.test('a process that is killed under load has stored what it acknowledged', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await checkKilled(t, file, postgresql, { url: database.url, max: 4 })
})
