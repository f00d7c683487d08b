import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder } from '../make-folder.ts'
import { makeSqliteApp } from '../make-sqlite-app.ts'

t.test('migrate shows its plan, and changes nothing with --plan', async (t) => {
  const dir = makeSqliteApp(t)
  for (let time = 0; time < 2; time++) {
    const terminal = fakeTerminal()
    t.equal(await run(['migrate', dir, '--plan'], terminal), 0)
    t.match(terminal.outText(), /^db: 1 step$/m)
    t.match(terminal.outText(), /create table/i)
  }
})

t.test('migrate asks, then does it; afterwards nothing is left to do', async (t) => {
  const dir = makeSqliteApp(t)
  const terminal = fakeTerminal(true)
  t.equal(await run(['migrate', dir], terminal), 0)
  t.match(terminal.asked, [/Run this plan\?/])
  t.match(terminal.errText(), /^1 step done$/m)
  const again = fakeTerminal()
  t.equal(await run(['migrate', dir, '--json'], again), 0)
  t.match(JSON.parse(again.outText()), [{ dataSource: 'db', steps: [] }])
})

t.test('migrate does nothing when nobody agrees', async (t) => {
  const dir = makeSqliteApp(t)
  const refused = fakeTerminal(false)
  t.equal(await run(['migrate', dir], refused), 1)
  t.match(refused.errText(), /nothing was changed/)
  const alone = fakeTerminal()
  t.equal(await run(['migrate', dir], alone), 2)
  t.match(alone.errText(), /--yes/)
  const planned = fakeTerminal()
  await run(['migrate', dir, '--plan'], planned)
  t.match(planned.outText(), /create table/i)
})

t.test('migrate says how many steps delete data', async (t) => {
  const dir = makeSqliteApp(t)
  t.equal(await run(['migrate', dir, '--yes'], fakeTerminal()), 0)
  const terminal = fakeTerminal(false)
  t.equal(await run(['migrate', dir, '--empty'], terminal), 1)
  t.match(terminal.asked, [/1 step, marked !, deletes data/])
})

t.test('migrate waits as long as it is told', async (t) => {
  const dir = makeSqliteApp(t)
  const wrong = fakeTerminal()
  t.equal(await run(['migrate', dir, '--lock-timeout', '5s'], wrong), 2)
  t.match(wrong.errText(), /--lock-timeout must be a number of milliseconds, not 5s/)
  const db = { connector: 'sqlite3', file: join(dir, 'notes.db'), busyTimeout: 50 }
  writeFileSync(join(dir, 'server/datasources.json'), JSON.stringify({ db }))
  const other = new ModelRegistry()
  other.addDataSource('db', sqlite({ file: db.file }))
  t.teardown(() => other.disconnect())
  await other.connect()
  await other.transaction(async () => {
    const locked = fakeTerminal()
    t.equal(await run(['migrate', dir, '--yes', '--lock-timeout', '0'], locked), 1)
    t.match(locked.errText(), /MIGRATION_LOCKED/)
  })
})

t.test('an application in memory has nothing to migrate', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['migrate', makeFolder(t)], terminal), 0)
  t.match(terminal.errText(), /no data source has tables/)
})
