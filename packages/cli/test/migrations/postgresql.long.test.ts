import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'
import { startCommand } from '../start-command.ts'
import { logRoundTrip } from './log-round-trip.ts'
import { makeShop, type Shop } from './make-shop.ts'
import { roundTrip } from './round-trip.ts'

type Run = (statement: string) => Promise<unknown>

async function shopOnPostgresql(t: Test): Promise<{ shop: Shop; run: Run }> {
  const { url, drop } = await createTestDatabase()
  const connector = postgresql({ url })
  t.teardown(async () => {
    await connector.disconnect()
    await drop()
  })
  return {
    shop: makeShop(t, { db: { connector: 'postgresql', url } }),
    run: async (statement) => connector.execute?.(statement)
  }
}

const schema = `
  select table_name, column_name, data_type, is_nullable, character_maximum_length, null as definition from information_schema.columns
    where table_schema = 'public' and table_name not like 'modelwire%'
  union all select tablename, indexname, '', '', 0, indexdef from pg_indexes where schemaname = 'public' and tablename not like 'modelwire%'
  union all select conrelid::regclass::text, conname, '', '', 0, pg_get_constraintdef(oid) from pg_constraint where contype = 'f'
  order by 1, 2`

t.test('changes of models go up, down and up again on PostgreSQL', async (t) => {
  const { shop, run } = await shopOnPostgresql(t)
  await roundTrip(t, shop, { dump: async () => run(schema), fullName: 'customer.fullname' })
  t.ok(shop.files().some((name) => name.endsWith('-v2-indexes.mjs')))
})

t.test('a way back on PostgreSQL leads to a table whose changes are logged as before', async (t) => {
  const { shop, run } = await shopOnPostgresql(t)
  await logRoundTrip(t, shop, { run, note: 'note' })
})

const file = (steps: string, more = ''): string =>
  `export const dataSource = 'db'\nexport const up = [${steps}]\nexport const down = []\n${more}`

t.test('a migration that fails on PostgreSQL is rolled back as a whole', async (t) => {
  const { shop, run } = await shopOnPostgresql(t)
  shop.write('20260101000000-a.mjs', file(`'create table a (x integer)', 'create nonsense'`))
  t.match((await shop.migrate(['--yes'], 1)).errText(), /rolled back as a whole[^]*MIGRATION_STEP_FAILED/)
  t.same(await run(`select 1 from pg_tables where tablename = 'a'`), [])
})

t.test('without a transaction, the next run continues with the step that failed', async (t) => {
  const { shop, run } = await shopOnPostgresql(t)
  await run('create table a (x integer)')
  await run('insert into a values (1), (1)')
  const steps = `'alter table a add y integer', 'create unique index concurrently i on a (x)'`
  shop.write('20260101000000-a.mjs', file(steps, 'export const transaction = false'))
  t.match((await shop.migrate(['--yes'], 1)).errText(), /continues with step 2\.\n {2}\(MIGRATION_STEP_FAILED\)/)
  t.match((await shop.migrate(['--status', '--check'], 1)).outText(), /incomplete +20260101000000-a +step 2 failed/)
  t.match((await shop.migrate(['--down', '--yes'], 1)).errText(), /MIGRATION_INCOMPLETE/)
  await run('delete from a')
  await run('drop index i')
  await shop.migrate(['--yes'])
  await shop.migrate(['--status', '--check'])
})

t.test('processes that apply files at once on PostgreSQL wait for each other', async (t) => {
  const { shop, run } = await shopOnPostgresql(t)
  await run('create table log (x integer)')
  for (const at of [1, 2, 3])
    shop.write(`2026010100000${at}-m.mjs`, file(`'insert into log select ${at} from pg_sleep(0.1)'`))
  shop.write(
    '20260101000004-m.mjs',
    file(`'create index concurrently i on log (x)'`, 'export const transaction = false')
  )
  const started = [1, 2, 3].map(() => startCommand(t, ['migrate', shop.dir, '--yes']))
  for (const { ended, text } of started) t.equal(await ended, 0, text())
  t.same(await run('select x from log order by x'), [{ x: 1 }, { x: 2 }, { x: 3 }])
  t.equal(
    started
      .map(({ text }) => text())
      .join('')
      .match(/: applied /g)?.length,
    4
  )
})
