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
    t.match(terminal.outText(), /^db: \d+ steps$/m)
    t.match(terminal.outText(), /create table/i)
  }
})

t.test('migrate asks, then does it; afterwards nothing is left to do', async (t) => {
  const dir = makeSqliteApp(t)
  const terminal = fakeTerminal(true)
  t.equal(await run(['migrate', dir], terminal), 0)
  t.match(terminal.asked, [/Run this plan\?/])
  t.match(terminal.errText(), /\d+ steps done/)
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
  t.match(terminal.asked, [/\d+ steps, marked !, delete data/])
})

t.test('an application in memory has nothing to migrate', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['migrate', makeFolder(t)], terminal), 0)
  t.match(terminal.errText(), /no data source has tables/)
})
