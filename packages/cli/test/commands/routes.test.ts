import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

const openApp = {
  ...noteApp,
  'server/boot/enable.js': '',
  'common/models/note.json': { name: 'Note', base: 'PersistedModel' }
}

t.test('routes lists verb, path, method and who may call', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', makeFolder(t)], terminal), 0)
  t.match(terminal.outText(), /^VERB +PATH +METHOD +WHO MAY CALL$/m)
  t.match(terminal.outText(), /^GET +\/api\/Notes +Note\.find +editor$/m)
  t.match(terminal.outText(), /^DELETE +\/api\/Notes\/:id +Note\.deleteById +\$owner$/m)
  t.notMatch(terminal.outText(), /^HEAD/m)
})

t.test('routes say that everyone may call what nothing guards', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', makeFolder(t, openApp)], terminal), 0)
  t.match(terminal.outText(), /^GET +\/api\/Notes +Note\.find +everyone$/m)
})

t.test('routes as JSON, of one model', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', makeFolder(t), '--json', '--model', 'Note'], terminal), 0)
  const lines = JSON.parse(terminal.outText()) as Record<string, unknown>[] // an array of objects
  t.ok(lines.every(({ method }) => String(method).startsWith('Note.')))
  t.match(
    lines.find(({ method, verb }) => method === 'Note.findById' && verb === 'GET'),
    {
      path: '/api/Notes/:id',
      accessType: 'READ',
      callers: [
        { caller: '$unauthenticated', answer: 'denied', rule: 'DENY $everyone' },
        { caller: '$authenticated', answer: 'denied' },
        { caller: '$owner', answer: 'allowed', rule: 'ALLOW $owner' },
        { caller: 'editor', answer: 'allowed', rule: 'ALLOW editor' }
      ]
    }
  )
})

t.test('access shows operations by kinds of callers', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['access', makeFolder(t), '--model', 'Note'], terminal), 0)
  t.match(terminal.outText(), /^Note +\$unauthenticated +\$authenticated +\$owner +editor$/m)
  t.match(terminal.outText(), /^ {2}find +GET \/Notes +no +no +no +yes$/m)
  t.match(terminal.outText(), /^ {2}create +POST \/Notes +no +no +no +no$/m)
  t.match(terminal.outText(), /^ {2}deleteById +DELETE \/Notes\/:id +no +no +yes +no$/m)
})

t.test('access names the rules that decide', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['access', makeFolder(t), '--rules', '--model', 'Note'], terminal), 0)
  t.match(terminal.outText(), /Note\.create\n {2}\$unauthenticated +denied +DENY \$everyone/)
})

t.test('access of a model that is not there ends with 2', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['access', makeFolder(t), '--model', 'Nobody'], terminal), 2)
  t.match(terminal.errText(), /NO_SUCH_MODEL/)
})

t.test('routes of a model that is not there are an error', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', makeFolder(t), '--model', 'Nope'], terminal), 1)
  t.match(terminal.errText(), /unknown public model Nope\n {2}\(NO_SUCH_MODEL\)/)
})

t.test('access says when nothing is guarded', async (t) => {
  const { 'server/boot/enable.js': _script, ...open } = noteApp
  const terminal = fakeTerminal()
  t.equal(await run(['access', makeFolder(t, open), '--model', 'Note'], terminal), 1)
  t.match(terminal.errText(), /no access control.*\n {2}\(NO_ACCESS_CONTROL\)/)
})
