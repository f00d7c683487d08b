import { join } from 'node:path'
import { mysql } from '@modelwire/connector-mysql'
import { checkKilled } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'

const skip = await whyNoServer()
const file = join(import.meta.dirname, '../fixtures/serve.js')

void t.test('a process that is killed under load has stored what it acknowledged', { skip }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await checkKilled(t, file, mysql, { url: database.url, connectionLimit: 4 })
})
