import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from './fake-terminal.ts'
import { makeFolder, noteApp } from './make-folder.ts'

t.test('without arguments, and with --help, it explains itself', async (t) => {
  for (const args of [[], ['--help'], ['help', 'serve'], ['migrate', '--help']]) {
    const terminal = fakeTerminal()
    t.equal(await run(args, terminal), 0)
    t.match(terminal.outText(), /Usage: modelwire/)
  }
})

t.test('what it does not understand ends with 2 and says where to look', async (t) => {
  for (const args of [
    ['srve', '.'],
    ['serve'],
    ['routes', '.', '--colour'],
    ['routes', '.', '--loopback', '4'],
    ['serve', '.', '--log-level', 'loud']
  ]) {
    const terminal = fakeTerminal()
    t.equal(await run(args, terminal), 2, args.join(' '))
    t.match(terminal.errText(), /^modelwire: [^]*\n {2}\(USAGE\)$/)
    t.equal(terminal.outText(), '')
  }
})

t.test('a folder that is not there is told with a code', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', 'no/such/folder'], terminal), 2)
  t.match(terminal.errText(), /is not a folder\n {2}\(NO_SUCH_FOLDER\)/)
})

t.test('a mistake in an application is told with its place, without a stack', async (t) => {
  const dir = makeFolder(t, { ...noteApp, 'common/models/note.json': { name: 'Note', base: 'Nowhere' } })
  const terminal = fakeTerminal()
  t.equal(await run(['routes', dir], terminal), 1)
  t.match(terminal.errText(), /Nowhere/)
  t.match(terminal.errText(), /Note/)
  t.match(terminal.errText(), /\(BASE_MODEL_UNKNOWN\)/)
  t.notMatch(terminal.errText(), /\n {4}at /)
})

t.test('the version is that of the package', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['--version'], terminal), 0)
  t.match(terminal.outText(), /^\d+\.\d+\.\d+/)
})
