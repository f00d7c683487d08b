import t from 'tap'
import { run } from '#src/run.ts'
import { startOld } from '../behind/front.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'
import { startCommand } from '../start-command.ts'

const open = { ...noteApp, 'common/models/note.json': { name: 'Note', properties: { text: 'string' } } }
const listening = /"msg":"Server listening at (http:\/\/127\.0\.0\.1:\d+)"/g

t.test('serve --behind passes requests on, and handover moves routes of the running server', async (t) => {
  const old = await startOld(t)
  old.rows = [{ id: 7, text: 'old' }]
  const dir = makeFolder(t, open)
  const args = ['serve', dir, '--behind', old.url, '--port', '0', '--control-port', '0', '--host', 'localhost']
  const served = startCommand(t, args)
  await served.until(/Control API at .*control\.json/)
  const urls = Array.from(served.text().matchAll(listening), ([, url = '']) => url)
  const url = urls.at(-1) ?? ''
  t.same(await (await fetch(`${url}/api/Notes`)).json(), [{ id: 7, text: 'old' }])
  const handed = startCommand(t, ['handover', dir, 'Note.find'])
  t.equal(await handed.ended, 0)
  t.match(handed.text(), /^Note\.find handed over$/m)
  t.same(await (await fetch(`${url}/api/Notes`)).json(), [])
  served.child.kill('SIGTERM')
  t.equal(await served.ended, 0)
  for (const line of served.text().trim().split('\n')) t.doesNotThrow(() => void JSON.parse(line), line)
})

t.test('options that make no sense are told before anything starts', async (t) => {
  const dir = makeFolder(t, open)
  const cases: readonly (readonly string[])[] = [
    ['nonsense'],
    ['ftp://old'],
    ['http://old', '--after', '0'],
    ['http://old', '--sample', '2'],
    ['http://old', '--control-port', '70000'],
    ['http://old', '--behind-timeout', '-1'],
    ['http://old', '--behind-host', 'other'],
    ['http://old', '--ignore', 'id']
  ]
  for (const [url = '', ...more] of cases) {
    const terminal = fakeTerminal()
    t.equal(await run(['serve', dir, '--behind', url, ...more], terminal), 2, [url, ...more].join(' '))
    t.match(terminal.errText(), /\(USAGE\)/)
  }
})
