import { postgresql } from '@modelwire/connector-postgresql'
import { sqlSchemaTests, type SqlTestsOptions } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'

const optionsFor = (url: string): SqlTestsOptions => ({
  name: 'postgresql, distributed',
  mappingKey: 'postgresql',
  countsChosenIds: false,
  makesIdentities: true,
  upsert: { patch: 1, insert: 2 },
  create: (settings) => postgresql({ url, distributed: true, ...settings })
})

void t.test('without what only PostgreSQL has, tables are made all the same', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await sqlSchemaTests(t, optionsFor(database.url))
})
