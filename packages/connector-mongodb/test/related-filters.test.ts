import { relatedFilterTests } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

void t.test('conditions on related records are those of plain code', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await relatedFilterTests(t, mongodb({ url: database.url, max: 2 }))
})
