import { type Column, sql } from '@modelwire/connector-sql'
import t from 'tap'
import { createPreparedStatements, PreparedQuery, unnamed } from '#src/client/prepared-query.ts'

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

void t.test('how rows are read is worked out once for the same columns, in whatever list they are', async (t) => {
  const prepared = unnamed('insert into x values ($1) returning "id"')
  const column = (name: string): Column => {
    const property = { name } as Column['property'] // reading looks at nothing else
    return { property, name, kind: 'text', isText: true, mapping: {}, sql: sql.id(name) }
  }
  const [id, other] = [column('id'), column('other')]
  const read = (...columns: readonly Column[]): unknown => {
    new PreparedQuery(prepared, []).rowsOf(columns)
    return prepared.reading
  }
  const first = read(id)
  t.equal(read(id), first)
  t.not(read(id, other), first)
  t.not(read(other), first)
})
