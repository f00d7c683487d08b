import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t, { type Test } from 'tap'
import { startCommand } from '../start-command.ts'
import { logRoundTrip } from './log-round-trip.ts'
import { makeShop, type Shop } from './make-shop.ts'
import { roundTrip } from './round-trip.ts'

type Run = (statement: string) => Promise<unknown>

async function shopOnMysql(t: Test): Promise<{ shop: Shop; run: Run }> {
  const { url, drop } = await createTestDatabase()
  const connector = mysql({ url })
  t.teardown(async () => {
    await connector.disconnect()
    await drop()
  })
  return {
    shop: makeShop(t, { db: { connector: 'mysql', url } }),
    run: async (statement) => connector.execute?.(statement)
  }
}

const schema = `
  select table_name as t, column_name as c, column_type as d, is_nullable as n from information_schema.columns
    where table_schema = database() and table_name not like 'modelwire%'
  union all select table_name, index_name, group_concat(column_name order by seq_in_index), non_unique from information_schema.statistics
    where table_schema = database() and table_name not like 'modelwire%' group by table_name, index_name, non_unique
  union all select table_name, constraint_name, referenced_table_name, '' from information_schema.referential_constraints
    where constraint_schema = database()
  order by 1, 2, 3`

const skip = await whyNoServer()
const file = (up: string, down = ''): string =>
  `export const dataSource = 'db'\nexport const up = [${up}]\nexport const down = [${down}]\n`

t.test('changes of models go up, down and up again on MariaDB', { skip }, async (t) => {
  const { shop, run } = await shopOnMysql(t)
  await roundTrip(t, shop, { dump: async () => run(schema), fullName: 'Customer.fullName' })
})

t.test('a way back on MariaDB leads to a table whose changes are logged as before', { skip }, async (t) => {
  const { shop, run } = await shopOnMysql(t)
  await logRoundTrip(t, shop, { run, note: 'Note' })
})

t.test(
  'a migration that fails on MariaDB keeps the steps before it, and the next run continues',
  { skip },
  async (t) => {
    const { shop, run } = await shopOnMysql(t)
    shop.write(
      '20260101000000-a.mjs',
      file(`'create table a (x integer)', 'alter table b add y integer', 'alter table a add z integer'`)
    )
    const { errText } = await shop.migrate(['--yes'], 1)
    t.match(errText(), /step 2 of 3 .*failed: [^]*continues with step 2\.\n {2}\(MIGRATION_STEP_FAILED\)/)
    t.match(
      (await shop.migrate(['--status', '--check'], 1)).outText(),
      /incomplete .*step 2 failed, the steps before it took effect/
    )
    await run('create table b (x integer)')
    await shop.migrate(['--yes'])
    await shop.migrate(['--status', '--check'])
    t.match(await run(`select steps_done, state from modelwire_migrations`), [{ steps_done: 3, state: 'applied' }])
  }
)

t.test('the step that failed may be corrected in its file', { skip }, async (t) => {
  const { shop } = await shopOnMysql(t)
  shop.write('20260101000000-a.mjs', file(`'create table a (x integer)', 'create nonsense'`))
  await shop.migrate(['--yes'], 1)
  shop.edit((text) => text.replace('create nonsense', 'create table b (x integer)'))
  t.match((await shop.migrate(['--yes'], 1)).errText(), /MIGRATION_CHANGED/)
  await shop.migrate(['--accept-changed', '--yes'])
  await shop.migrate(['--yes'])
  await shop.migrate(['--status', '--check'])
})

t.test('a migration that broke off is continued where somebody says', { skip }, async (t) => {
  const { shop, run } = await shopOnMysql(t)
  shop.write(
    '20260101000000-a.mjs',
    file(`'create table a (x integer)', 'create table b (x integer)'`, `'drop table b', 'drop table a'`)
  )
  await shop.migrate(['--yes'])
  await run(`update modelwire_migrations set state = 'applying', steps_done = 1`)
  t.match(
    (await shop.migrate(['--yes'], 1)).errText(),
    /was aborted during step 2 of 2 \(up\)[^]*--resume 2, or --resume 3[^]*MIGRATION_INCOMPLETE/
  )
  await shop.migrate(['--yes', '--resume', '3'])
  await shop.migrate(['--status', '--check'])
  await run(`update modelwire_migrations set state = 'reverting', steps_done = 0`)
  t.match((await shop.migrate(['--yes'], 1)).errText(), /only partly reverted[^]*MIGRATION_INCOMPLETE/)
  t.match((await shop.migrate(['--down', '--yes'], 1)).errText(), /was aborted during step 1 of 2 \(down\)/)
  await shop.migrate(['--down', '--resume', '1', '--yes'])
  t.match(await run('show tables'), [{}])
})

t.test('processes that apply files at once on MariaDB wait for each other', { skip }, async (t) => {
  const { shop, run } = await shopOnMysql(t)
  await run('create table log (x integer)')
  for (const at of [1, 2, 3])
    shop.write(`2026010100000${at}-m.mjs`, file(`'insert into log select ${at} + sleep(0.1)'`))
  const started = [1, 2, 3].map(() => startCommand(t, ['migrate', shop.dir, '--yes']))
  for (const { ended, text } of started) t.equal(await ended, 0, text())
  t.same(await run('select x from log order by x'), [{ x: 1 }, { x: 2 }, { x: 3 }])
  t.equal(
    started
      .map(({ text }) => text())
      .join('')
      .match(/: applied /g)?.length,
    3
  )
})
