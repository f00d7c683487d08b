import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { sqlite } from '@modelwire/connector-sqlite'
import LibSql from 'libsql'
import t, { type Test } from 'tap'
import { temporaryFile } from './fixtures/temporary-file.ts'

/** The records of a table or view in a file. */
function open(t: Test, file: string): Collection {
  const registry = new ModelRegistry()
  registry.addDataSource('db', sqlite({ file }))
  registry.define({ name: 'Note', strict: true, properties: { id: { type: 'number', id: true }, text: 'string' } })
  registry.attach('Note', 'db')
  t.teardown(() => registry.disconnect())
  const { collection } = registry.typeOf('Note')
  if (collection === undefined) throw new Error('it is attached')
  return collection
}

const everything = { order: [], skip: 0 }

void t.test('a read that is refused leaves nothing behind in the file', async (t) => {
  const file = temporaryFile(t)
  const other = new LibSql(file)
  t.teardown(() => other.close())
  other.exec('pragma journal_mode = wal')
  other.exec('create table note (id integer primary key, text text)')
  const many = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)'
  other.exec(`${many} insert into note select i, hex(randomblob(500)) from n`)
  const notes = open(t, file)
  const atMost = { rows: Infinity, bytes: 1_000_000, options: { rows: 'a', bytes: 'b' } }
  await t.rejects(async () => notes.find({ ...everything, atMost }), { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
  other.exec("insert into note values (9999, 'new')")
  // Where somebody still reads an older state, the journal cannot be written back.
  t.match(other.prepare('pragma wal_checkpoint(truncate)').all(), [{ busy: 0 }])
  t.match(await notes.findById(9999), { text: 'new' })
})

void t.test('a text that is longer than texts can be is refused, and does not end the process', async (t) => {
  const file = temporaryFile(t)
  const other = new LibSql(file)
  t.teardown(() => other.close())
  other.exec(`create view note as select 1 as id, printf('%.*c', 600000000, 'x') as text`)
  const notes = open(t, file)
  const told = { code: 'ANSWER_TOO_LARGE', statusCode: 400, cause: { code: 'SQLITE_NOMEM' } }
  await t.rejects(async () => notes.find(everything), told)
  t.equal(await notes.count(undefined), 1)
})

void t.test('whatever else SQLite says has a code', async (t) => {
  const file = temporaryFile(t)
  const other = new LibSql(file)
  t.teardown(() => other.close())
  other.exec('create view note as select 1 as id, abs(-9223372036854775808) as text')
  const notes = open(t, file)
  await t.rejects(async () => notes.find(everything), { code: 'DATABASE_FAILED', statusCode: 500 })
})
