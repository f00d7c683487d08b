import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal, type FakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'
import { makeSqliteApp } from '../make-sqlite-app.ts'

const seeds = {
  'seeds/Note.json': [{ text: 'Buy milk' }, { id: 7, text: 'Buy tea' }],
  'seeds/staging/Note.json': [{ id: 8, text: 'Buy sugar' }],
  'seeds/more.cjs': "module.exports = async (models, { seed }) => seed('Note', [{ id: 9, text: 'Buy bread' }])"
}

async function runSeed(...args: string[]): Promise<{ code: number; terminal: FakeTerminal }> {
  const terminal = fakeTerminal()
  return { code: await run(['seed', ...args], terminal), terminal }
}

t.test('a second run changes nothing, and a table says so', async (t) => {
  const dir = makeSqliteApp(t, { ...noteApp, ...seeds })
  t.equal(await run(['migrate', dir, '--yes'], fakeTerminal()), 0)
  const dry = await runSeed(dir, '--dry-run')
  t.match(
    dry.terminal.outText(),
    /^create {2}Note {2}Note\.json\[0\]\ncreate {2}Note {2}Note\.json\[1\]\n[^]*more\.cjs would run$/
  )
  t.match(dry.terminal.errText(), /nothing was stored/)
  const first = await runSeed(dir)
  t.equal(first.code, 0, first.terminal.errText())
  t.match(first.terminal.outText(), /^MODEL +CREATED +CHANGED +UNCHANGED\nNote +3 +0 +0\nmore\.cjs ran$/)
  t.match((await runSeed(dir, '--only', 'Note')).terminal.outText(), /\nNote +0 +0 +2$/)
  t.match((await runSeed(dir, '--environment', 'staging')).terminal.outText(), /\nNote +1 +0 +3\n/)
  const json = await runSeed(dir, '--json', '--env', 'staging')
  t.match(JSON.parse(json.terminal.outText()), { dryRun: false, models: [{ model: 'Note', unchanged: 4 }] })
  t.match((await runSeed(dir, '--reset')).terminal.outText(), /UNCHANGED +DELETED\nNote +3 +0 +0 +4\n/)
})

t.test('a reset in production is refused unless it is forced', async (t) => {
  const dir = makeSqliteApp(t, { ...noteApp, ...seeds })
  t.equal(await run(['migrate', dir, '--yes'], fakeTerminal()), 0)
  const refused = await runSeed(dir, '--reset', '--env', 'production')
  t.equal(refused.code, 1)
  t.match(refused.terminal.errText(), /\(SEED_RESET_REFUSED\)/)
  t.equal((await runSeed(dir, '--reset', '--env', 'production', '--force')).code, 0)
})

t.test('a wrong record is told with its file and place, and a memory that ends is told', async (t) => {
  const dir = makeFolder(t, { ...noteApp, 'data/Note.json': [{ text: 'Buy milk' }, { userId: 1 }] })
  const { code, terminal } = await runSeed(dir, '--folder', 'data')
  t.equal(code, 1)
  t.match(
    terminal.errText(),
    /"db" is in memory[^]*refused: The Note is not valid[^]*in Note\.json, \[1\]\n[^]*\(SEED_RECORD_REFUSED\)/
  )
  t.match((await runSeed(dir)).terminal.errText(), /\(SEED_FOLDER_MISSING\)/)
})
