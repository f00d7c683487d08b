import { mysql } from '@modelwire/connector-mysql'
import { type FaultTestsOptions, networkTests, openPlace, postEntry } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'

const skip = await whyNoServer()
const options: FaultTestsOptions = {
  create: mysql,
  limitKey: 'connectionLimit',
  createDatabase: createTestDatabase,
  port: 3306,
  runOn
}

void t.test('servers of a database in trouble', { skip, timeout: 120_000 }, async (t) => networkTests(t, options))

void t.test('a table that is full is told, and what it holds is served', { skip }, async (t) => {
  const small =
    'create table FaultEntry (id varchar(64) primary key, worker double, serial double not null, twin varchar(900)) engine = memory'
  const { app } = await openPlace(t, options, { statements: ['set max_heap_table_size = 16384', small] })
  t.equal((await postEntry(app, { id: 'first', serial: 1 })).statusCode, 200)
  const answers: number[] = []
  for (let serial = 2; serial < 60; serial++) {
    const { statusCode } = await postEntry(app, { id: String(serial), serial, twin: 'x'.repeat(900) })
    answers.push(statusCode)
  }
  t.same([...new Set(answers)], [200, 507])
  const error = { statusCode: 507, code: 'DATABASE_FULL' }
  t.match((await postEntry(app, { id: 'more', serial: 61, twin: 'x'.repeat(900) })).json(), { error })
  t.match((await app.inject('/api/entries/first')).json(), { serial: 1 })
})
