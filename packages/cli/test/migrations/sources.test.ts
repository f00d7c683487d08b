import { join } from 'node:path'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'
import { makeSqliteApp } from '../make-sqlite-app.ts'
import { makeShop } from './make-shop.ts'

const properties = { id: { type: 'number', id: true, generated: true }, text: 'string' }

t.test('each data source has files of its own', async (t) => {
  const dir = makeFolder(t, {})
  const on = (name: string): object => ({ connector: 'sqlite', file: join(dir, `${name}.db`) })
  const shop = makeShop(t, { main: on('main'), logs: on('logs'), cache: { connector: 'memory' } })
  shop.setModels({
    Item: { properties, dataSource: 'main' },
    Line: { properties, dataSource: 'logs' },
    Hit: { properties, dataSource: 'cache' }
  })
  await shop.migrate(['--create', 'init'])
  t.match(shop.files(), [/^\d{14}-init-main\.mjs$/, /^\d{14}-init-logs\.mjs$/])
  await shop.migrate(['--yes', '--data-source', 'logs'])
  t.match(
    (await shop.migrate(['--status'])).outText(),
    /^main.*\n {2}pending.*init-main[^]*^logs.*\n {2}applied.*init-logs/m
  )
  await shop.migrate(['--yes'])
  await shop.migrate(['--status', '--check'])
  t.match((await shop.migrate(['--down', '--yes'], 2)).errText(), /--data-source: main, logs[^]*NO_SUCH_DATA_SOURCE/)
  await shop.migrate(['--down', '--data-source', 'main', '--lose-data', '--yes'])
  t.match(
    (await shop.migrate(['--create', 'x', '--rename', 'a=b', '--data', '--data-source', 'logs'], 1)).errText(),
    /RENAME_INVALID/
  )
})

t.test('application folders, whose scripts are CommonJS, have the same files', async (t) => {
  const dir = makeSqliteApp(t, noteApp)
  for (const args of [['--create', 'init'], ['--yes'], ['--status', '--check']]) {
    const terminal = fakeTerminal()
    t.equal(await run(['migrate', dir, ...args], terminal), 0, terminal.errText())
  }
  const asked = fakeTerminal(false)
  t.equal(await run(['migrate', dir, '--down', '--lose-data'], asked), 1)
  t.match(asked.asked, [/^Revert 1 migration\? 1 step, marked !, deletes data\.$/])
})
