import { ModelRegistry } from '@modelwire/core'
import { sqlite } from '@modelwire/connector-sqlite'
import LibSql from 'libsql'
import t, { type Test } from 'tap'
import { temporaryFile } from './fixtures/temporary-file.ts'

const greatest = '9223372036854775807'

function open(t: Test, file: string, type: string): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', sqlite({ file }))
  registry.define({ name: 'Count', strict: true, properties: { id: { type: 'number', id: true }, n: type } })
  registry.attach('Count', 'db')
  t.teardown(() => registry.disconnect())
  return registry
}

void t.test('a whole number that JavaScript cannot hold is an error, or a text where the model says so', async (t) => {
  const file = temporaryFile(t)
  const other = new LibSql(file)
  other.exec('create table count (id integer primary key, n bigint)')
  other.exec(`insert into count values (1, ${greatest}), (2, -9007199254740991)`)
  other.close()
  const Numbers = open(t, file, 'number').get('Count')
  await t.rejects(Numbers.findById(1), { code: 'NUMBER_NOT_REPRESENTABLE', statusCode: 500 })
  await t.rejects(Numbers.find(), { code: 'NUMBER_NOT_REPRESENTABLE' })
  t.match(await Numbers.findById(2), { n: -9_007_199_254_740_991 })
  t.match(await open(t, file, 'string').get('Count').findById(1), { n: greatest })
})

void t.test('a text in a column of numbers is refused at the start: SQLite would make a number of it', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', sqlite())
  const amount = { type: 'string', sqlite3: { dataType: 'DECIMAL(30,10)' } }
  registry.define({ name: 'Ledger', properties: { id: { type: 'number', id: true }, amount } })
  t.throws(() => registry.attach('Ledger', 'db'), { code: 'MODEL_DEFINITION_INVALID' })
})
