import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

// As loopback-connector-postgresql 5 answers.
const answers: readonly (readonly [statement: string, answer: unknown])[] = [
  ['create table thing (id serial primary key, name text)', []],
  ["insert into thing (name) values ('a'), ('b'), ('c')", []],
  ["insert into thing (name) values ('d') returning id", [{ id: 4 }]],
  ['select name from thing order by id limit 1', [{ name: 'a' }]],
  ['select name from thing where id = 99', []],
  ["update thing set name = 'x' where id < 3", { affectedRows: 2, count: 2, rows: [] }],
  ["update thing set name = 'y' where id = 3 returning id", { affectedRows: 1, count: 1, rows: [{ id: 3 }] }],
  [
    'with old as (select 1 as id) delete from thing using old where thing.id = old.id',
    { affectedRows: 1, count: 1, rows: [] }
  ],
  ['with old as (select 2 as id) select thing.name from thing join old on old.id = thing.id', [{ name: 'x' }]],
  ['delete from thing', { affectedRows: 3, count: 3, rows: [] }],
  ['drop table thing', []]
]

void t.test("scripts get of a statement what LoopBack's connector gives", async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const connector = postgresql({ url })
  t.teardown(() => connector.disconnect())
  await connector.connect()
  for (const [statement, answer] of answers) t.strictSame(await connector.execute?.(statement), answer, statement)
  await connector.transaction?.(async () => {
    for (const [statement, answer] of answers) t.strictSame(await connector.execute?.(statement), answer, statement)
  })
})
