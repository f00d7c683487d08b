import t from 'tap'
import { createPreparedStatements } from '#src/client/prepared-statements.ts'

void t.test('a statement has the same name on every connection, and no other text has it', async (t) => {
  const names = { isOn: true }
  const [first, second] = [createPreparedStatements(names), createPreparedStatements(names)]
  second('select 3')
  const texts = ['select 1', 'select 2', 'insert into x values ($1)', 'with y as (select 1) select * from y']
  for (const text of texts) t.equal(first(text)?.name, second(text)?.name, text)
  t.equal(new Set(texts.map((text) => first(text)?.name)).size, texts.length)
  t.equal(first('select 1'), first('select 1'), 'and is known afterwards')
})

void t.test(
  'what changes the schema or ends a transaction has no name, and nothing has where names are lost',
  async (t) => {
    const names = { isOn: true }
    const statements = createPreparedStatements(names)
    for (const text of ['commit', 'begin', 'create table x ()', 'drop table x'])
      t.equal(statements(text), undefined, text)
    t.ok(statements('select 1'))
    names.isOn = false
    t.equal(statements('select 1'), undefined)
  }
)

void t.test('a connection does not keep more statements than a server should', async (t) => {
  const statements = createPreparedStatements({ isOn: true })
  const kept = Array.from({ length: 600 }, (_, at) => statements(`select ${at}`)).filter((each) => each !== undefined)
  t.equal(kept.length, 500)
})
