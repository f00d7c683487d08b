import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import t from 'tap'
import { customer, makeShop } from './make-shop.ts'
import { onSqlite, schemaOf } from './on-sqlite.ts'

const migration = (up: string, down = ''): string =>
  `export const dataSource = 'db'\nexport const up = [${up}]\nexport const down = [${down}]\n`

t.test('code of a migration runs in its transaction, in its place', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  const fill = `async function fill({ execute }) {
    await execute('insert into a (x) values (?)', [3])
    const [row] = await execute('select x from a')
    await execute('insert into a (x) values (?)', [row.x + 1])
  }`
  shop.write(
    '20260101000000-a.mjs',
    migration(`'create table a (x integer)', ${fill}, 'create index i on a (x)'`, `'drop table a'`)
  )
  t.match((await shop.migrate(['--yes'])).outText(), /^ {4}\+ code: fill$/m)
  t.same(await run('select x from a order by x'), [{ x: 3 }, { x: 4 }])
})

t.test('a migration that fails leaves nothing behind, and those before it stay', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  shop.write('20260101000000-a.mjs', migration(`'create table a (x integer)'`))
  shop.write('20260101000001-b.mjs', migration(`'create table b (x integer)', 'create nonsense'`))
  shop.write('20260101000002-c.mjs', migration(`'create table c (x integer)'`))
  const { errText } = await shop.migrate(['--yes'], 1)
  t.match(errText(), /applied 20260101000000-a/)
  t.match(errText(), /step 2 of 2 of the migration 20260101000001-b \(up\) failed: .*nonsense/)
  t.match(errText(), /rolled back as a whole\.\n {2}\(MIGRATION_STEP_FAILED\)/)
  t.match(await run(schemaOf), [{ name: 'a' }])
  t.match((await shop.migrate(['--status', '--json'])).outText(), /"state": "applied"[^]*"pending"[^]*"pending"/)
  shop.write('20260101000001-b.mjs', migration(`'create table b (x integer)'`))
  await shop.migrate(['--yes'])
  t.match(await run(schemaOf), [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
})

t.test('files wait for another process as long as they are told', async (t) => {
  const shop = makeShop(t)
  const file = join(shop.dir, 'shop.db')
  writeFileSync(join(shop.dir, 'sources.json'), JSON.stringify({ db: { connector: 'sqlite', file, busyTimeout: 50 } }))
  shop.write('20260101000000-a.mjs', migration(`'create table a (x)'`))
  const other = sqlite({ file })
  t.teardown(() => other.disconnect())
  await other.transaction?.(async () => {
    t.match((await shop.migrate(['--yes', '--lock-timeout', '0'], 1)).errText(), /MIGRATION_LOCKED/)
  })
  await shop.migrate(['--yes'])
})

t.test('a step must be a single statement: none is left out', async (t) => {
  const shop = makeShop(t)
  shop.write('20260101000000-a.mjs', migration(`'create table a (x); create table b (x)'`))
  t.match((await shop.migrate(['--yes'], 1)).errText(), /a step must be a single statement[^]*rolled back as a whole/)
})

t.test('--to stops after a migration, and with --down before it', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  for (const name of ['a', 'b', 'c', 'd'])
    shop.write(
      `2026010100000${'abcd'.indexOf(name)}-${name}.mjs`,
      migration(`'create table ${name} (x)'`, `'drop table ${name}'`)
    )
  const tables = async (): Promise<string> => (await run(schemaOf)).map(({ name }) => name).join('')
  await shop.migrate(['--yes', '--to', 'b'])
  t.equal(await tables(), 'ab')
  await shop.migrate(['--yes', '--to', '20260101000002-c.mjs'])
  t.equal(await tables(), 'abc')
  await shop.migrate(['--yes'])
  await shop.migrate(['--down', '2', '--yes'])
  t.equal(await tables(), 'ab')
  await shop.migrate(['--down', '--to', 'a', '--yes'])
  t.equal(await tables(), 'a')
  t.match((await shop.migrate(['--to', 'z', '--yes'], 1)).errText(), /MIGRATION_UNKNOWN/)
  t.match((await shop.migrate(['--down', 'x', '--yes'], 2)).errText(), /USAGE/)
})

t.test('changed and missing files are told, and stop what depends on them', async (t) => {
  const shop = makeShop(t)
  shop.write('20260101000000-a.mjs', migration(`'create table a (x integer)'`, `'drop table a'`))
  await shop.migrate(['--yes'])
  shop.edit((text) => `${text}// changed\n`)
  t.match((await shop.migrate(['--status', '--check'], 1)).outText(), /changed +20260101000000-a/)
  for (const args of [['--yes'], ['--down', '--yes']])
    t.match((await shop.migrate(args, 1)).errText(), /MIGRATION_CHANGED/)
  await shop.migrate(['--accept-changed', '--yes'])
  await shop.migrate(['--status', '--check'])
  shop.edit((text) => text.replaceAll('\n', '\r\n'))
  await shop.migrate(['--status', '--check'])
  rmSync(join(shop.dir, 'migrations/20260101000000-a.mjs'))
  t.match((await shop.migrate(['--status', '--check'], 1)).outText(), /missing +20260101000000-a/)
  t.match((await shop.migrate(['--down', '--yes'], 1)).errText(), /MIGRATION_FILE_MISSING/)
  shop.write('20260101000001-b.mjs', migration(`'create table b (x integer)'`))
  t.match((await shop.migrate(['--yes'])).errText(), /20260101000000-a was applied, but its file is missing/)
})

t.test('a file that says nothing useful is refused before anything runs', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  shop.write('20260101000000-a.mjs', migration(`'create table a (x integer)'`))
  const wrong = ['export const up = [', 'export const up = []', migration('1'), migration(`''`), migration(`{ a: 1 }`)]
  for (const text of wrong) {
    shop.write('20260101000001-b.mjs', text)
    t.match((await shop.migrate(['--yes'], 1)).errText(), /MIGRATION_FILE_INVALID/, text)
  }
  shop.write('20260101000001-b.mjs', migration('').replace(`'db'`, `'other'`))
  t.match((await shop.migrate(['--yes'], 1)).errText(), /unknown data source other[^]*MIGRATION_FILES_UNSUPPORTED/)
  t.same(await run(schemaOf), [])
  shop.write('20260101000001-b.mjs', `${migration('')}export const transaction = false\n`)
  t.match((await shop.migrate(['--yes'], 1)).errText(), /MIGRATION_NEEDS_TRANSACTION/)
})

t.test('a data source without tables keeps no migrations', async (t) => {
  const shop = makeShop(t, { db: { connector: 'memory' } })
  shop.setModels(customer({ name: 'string' }))
  t.match((await shop.migrate(['--create', 'x'], 2)).errText(), /NO_SUCH_DATA_SOURCE/)
  t.match((await shop.migrate(['--create', 'x', '--data-source', 'db'], 1)).errText(), /MIGRATION_FILES_UNSUPPORTED/)
  t.match((await shop.migrate(['--status'])).errText(), /no data source is an SQL database/)
})

t.test('the database of others gets the first migration recorded', async (t) => {
  const shop = makeShop(t)
  shop.setModels(customer({ name: 'string' }))
  await shop.migrate(['--yes'])
  await shop.migrate(['--create', 'init', '--baseline'])
  t.match((await shop.migrate(['--yes'], 1)).errText(), /MIGRATION_STEP_FAILED/)
  await shop.migrate(['--mark-applied', 'init', '--yes'])
  await shop.migrate(['--status', '--check'])
  t.match((await shop.migrate(['--mark-applied', 'init', '--yes'])).errText(), /already recorded/)
})

t.test('package.json names the folder and the table', async (t) => {
  const shop = makeShop(t, undefined, { migrations: { folder: 'db/steps', table: 'history' } })
  const run = onSqlite(t, shop.dir)
  shop.setModels(customer({ name: 'string' }))
  t.match((await shop.migrate(['--create', 'init'])).outText(), /db\/steps\/\d{14}-init\.mjs/)
  await shop.migrate(['--yes'])
  t.match(await run('select * from history'), [
    { name: /init/, checksum: /^[0-9a-f]{64}$/, state: 'applied', steps_done: 1 }
  ])
  const wrong = makeShop(t, undefined, { migrations: { folder: 1 } })
  t.match((await wrong.migrate(['--status'], 2)).errText(), /modelwire\.migrations\.folder[^]*PROJECT_INVALID/)
})

t.test('options that cannot be combined are refused', async (t) => {
  const shop = makeShop(t)
  const wrong = [
    '--create x --to y',
    '--status --down',
    '--check',
    '--rename a=b',
    '--lose-data',
    '--resume 0',
    '--down --prune'
  ]
  shop.write('20260101000000-a.mjs', migration(''))
  for (const args of [...wrong, '--prune', '--empty'])
    t.match((await shop.migrate([...args.split(' '), '--yes'], 2)).errText(), /USAGE/, args)
})
