import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { makeFolder, noteApp } from '../make-folder.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The command in a process of its own. */
interface Started {
  readonly child: ChildProcess
  /** Everything that it printed. */
  readonly text: () => string
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: Promise<number | null>
}

function start(t: Test, args: readonly string[]): Started {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const end = Date.now() + 60_000
    while (Date.now() < end) {
      const found = pattern.exec(text)
      if (found !== null) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`${String(pattern)} was not printed: ${text}`)
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  return { child, text: () => text, until, ended }
}

const open = { ...noteApp, 'common/models/note.json': { name: 'Note', properties: { text: 'string' } } }

t.test('serve answers requests, logs JSON for machines, and ends in good order', async (t) => {
  const served = start(t, ['serve', makeFolder(t, open), '--port', '0', '--host', '127.0.0.1'])
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

t.test('serve --watch starts again when a file changes', async (t) => {
  const dir = makeFolder(t, open)
  const served = start(t, ['serve', dir, '--watch', '--port', '0', '--host', '127.0.0.1'])
  await served.until(/Server listening/)
  writeFileSync(join(dir, 'common/models/note.json'), JSON.stringify({ name: 'Note', plural: 'memos', properties: {} }))
  await served.until(/note\.json changed[^]*\/memos[^]*Server listening/)
  served.child.kill('SIGTERM')
  t.equal(await served.ended, 0)
})

t.test('a port that is taken is told', async (t) => {
  const first = start(t, ['serve', makeFolder(t, open), '--port', '0', '--host', '127.0.0.1'])
  const [, port = ''] = await first.until(/"msg":"Server listening at http:\/\/127\.0\.0\.1:(\d+)"/)
  const second = start(t, [
    'serve',
    makeFolder(t, open),
    '--port',
    port,
    '--host',
    '127.0.0.1',
    '--log-level',
    'silent'
  ])
  t.equal(await second.ended, 1)
  t.match(second.text(), /EADDRINUSE/)
})
