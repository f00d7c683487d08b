import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { makeFolder, noteApp } from '../make-folder.ts'
import { startCommand } from '../start-command.ts'

const open = { ...noteApp, 'common/models/note.json': { name: 'Note', properties: { text: 'string' } } }

t.test('serve answers requests, logs JSON for machines, and ends in good order', async (t) => {
  const served = startCommand(t, ['serve', makeFolder(t, open), '--port', '0', '--host', '127.0.0.1'])
  const [, url = ''] = await served.until(/"msg":"Server listening at (http:[^"]+)"/)
  const answer = await fetch(`${url}/api/Notes`, {
    method: 'POST',
    body: '{"text":"a"}',
    headers: { 'content-type': 'application/json' }
  })
  t.strictSame(await answer.json(), { text: 'a', id: 1 })
  served.child.kill('SIGTERM')
  t.equal(await served.ended, 0)
  for (const line of served.text().trim().split('\n')) t.doesNotThrow(() => void JSON.parse(line), line)
})

t.test('serve listens where health and metrics have a port of their own', async (t) => {
  const files = { ...open, 'server/component-config.json': { '@modelwire/ops': { port: 0, host: 'localhost' } } }
  const served = startCommand(t, ['serve', makeFolder(t, files), '--port', '0', '--host', '127.0.0.1'])
  const [, url = ''] = await served.until(/"msg":"Server listening at (http:[^"]+)"/)
  t.equal((await fetch(`${url}/api/Notes`)).status, 200)
  served.child.kill('SIGTERM')
  t.equal(await served.ended, 0)
  t.notMatch(served.text(), /a server of its own/)
})

t.test('serve --watch starts again when a file changes', async (t) => {
  const dir = makeFolder(t, open)
  const file = join(dir, 'server/data.json')
  writeFileSync(join(dir, 'server/datasources.json'), JSON.stringify({ db: { connector: 'memory', file } }))
  const served = startCommand(t, ['serve', dir, '--watch', '--port', '0', '--host', '127.0.0.1'])
  await served.until(/Server listening/)
  for (const name of ['server/app.log', 'data.json.journal', 'upload.png']) writeFileSync(join(dir, name), 'x')
  writeFileSync(file, '{}')
  writeFileSync(join(dir, 'common/models/note.json'), JSON.stringify({ name: 'Note', plural: 'memos', properties: {} }))
  await served.until(/note\.json changed[^]*\/memos[^]*Server listening/)
  t.notMatch(served.text(), /(?:log|data\.json|journal|png) changed/)
  served.child.kill('SIGTERM')
  t.equal(await served.ended, 0)
})

t.test('a port that is taken is told', async (t) => {
  const taking = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taking.close())
  await once(taking, 'listening')
  const { port } = taking.address() as AddressInfo // it listens on a port
  const args = ['serve', makeFolder(t, open), '--port', String(port), '--host', '127.0.0.1', '--log-level', 'silent']
  const served = startCommand(t, args)
  t.equal(await served.ended, 1)
  t.match(served.text(), /EADDRINUSE/)
})
