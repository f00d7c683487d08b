import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

// As loopback-connector-mysql 5 answers, which also has flags of the server; `count` is ours.
const changed = (affectedRows: number, changedRows: number, insertId = 0): object => ({
  affectedRows,
  changedRows,
  insertId,
  count: affectedRows
})
const answers: readonly (readonly [statement: string, answer: unknown])[] = [
  ['create table thing (id int auto_increment primary key, name text)', changed(0, 0)],
  ["insert into thing (name) values ('a'), ('b'), ('c')", changed(3, 0, 1)],
  ['select name from thing order by id limit 1', [{ name: 'a' }]],
  ['select name from thing where id = 99', []],
  ["update thing set name = 'a' where id < 3", changed(2, 1)],
  ['delete from thing', changed(3, 0)]
]

void t.test("scripts get of a statement what LoopBack's connector gives", { skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const connector = mysql({ url })
  t.teardown(() => connector.disconnect())
  await connector.connect()
  for (const [statement, answer] of answers) t.strictSame(await connector.execute?.(statement), answer, statement)
})
