import { readFileSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import { makeControlServer } from '#src/behind/control/control-server.ts'
import { run } from '#src/run.ts'
import { type FakeTerminal, fakeTerminal } from '../fake-terminal.ts'
import { makeFolder } from '../make-folder.ts'
import { startBare, startFront, startOld } from './front.ts'

/** Sends headers as they are, the host among them. */
async function askRaw(
  url: string,
  headers: Record<string, string>,
  method = 'GET'
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, method }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asked.once('error', reject).end()
  })
}

t.test('the control API answers its token alone, by its own name, and no page of another origin', async (t) => {
  const { behind } = await startFront(t, (await startOld(t)).url)
  const { url, token } = behind.access
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const authorization = `Bearer ${token}`
  const cases: readonly (readonly [Record<string, string>, number, RegExp])[] = [
    [{}, 401, /CONTROL_TOKEN_REQUIRED/],
    [{ authorization: 'Bearer x' }, 401, /CONTROL_TOKEN_REQUIRED/],
    [{ authorization: token }, 401, /CONTROL_TOKEN_REQUIRED/],
    [{ authorization, host: 'evil.example' }, 403, /CONTROL_ORIGIN_REFUSED/],
    [{ authorization, host: `evil.example:${new URL(url).port}` }, 403, /CONTROL_ORIGIN_REFUSED/],
    [{ authorization, origin: 'http://evil.example' }, 403, /CONTROL_ORIGIN_REFUSED/],
    [{ authorization, origin: 'null' }, 403, /CONTROL_ORIGIN_REFUSED/],
    [{ authorization, origin: url }, 200, /"routes"/],
    [{ authorization, host: `localhost:${new URL(url).port}` }, 200, /"routes"/]
  ]
  for (const [headers, status, text] of cases) {
    const answer = await askRaw(`${url}/state`, headers)
    t.equal(answer.status, status, JSON.stringify(headers))
    t.match(answer.text, text)
  }
  t.equal((await askRaw(`${url}/handover`, {}, 'POST')).status, 401)
})

t.test('requests that make no sense are told with a code', async (t) => {
  const { control } = await startFront(t, (await startOld(t)).url)
  const cases: readonly (readonly [string, object, number, string])[] = [
    ['/handover', { owner: 'me' }, 400, 'CONTROL_REQUEST_INVALID'],
    ['/handover', { owner: 'new' }, 400, 'CONTROL_REQUEST_INVALID'],
    ['/handover', { owner: 'new', routes: 'Note.find' }, 400, 'CONTROL_REQUEST_INVALID'],
    ['/handover', { owner: 'new', all: true, more: 1 }, 400, 'CONTROL_REQUEST_INVALID'],
    ['/handover', { owner: 'new', routes: ['Note.find', 'Note.no'] }, 404, 'ROUTE_NOT_KNOWN'],
    ['/nothing', { a: 1 }, 404, 'CONTROL_PATH_UNKNOWN']
  ]
  for (const [path, body, status, code] of cases)
    t.match(await control(path, body), { status, json: { error: { statusCode: status, code } } }, JSON.stringify(body))
})

t.test('the page holds no token, loads nothing, and may not be framed', async (t) => {
  const { behind } = await startFront(t, (await startOld(t)).url)
  const page = await fetch(behind.access.url)
  t.match(page.headers.get('content-security-policy'), /^default-src 'none'.*frame-ancestors 'none'/)
  const html = await page.text()
  t.notMatch(html, /https?:|unsafe|src=|href=/)
  t.notOk(html.includes(behind.access.token))
})

async function handover(...args: readonly string[]): Promise<{ code: number; terminal: FakeTerminal }> {
  const terminal = fakeTerminal()
  return { code: await run(['handover', ...args], terminal), terminal }
}

t.test('modelwire handover finds the running server by its folder', async (t) => {
  const front = await startFront(t, (await startOld(t)).url)
  const file = join(front.dir, '.modelwire/control.json')
  t.equal(statSync(file).mode & 0o777, 0o600)
  const shown = await handover(front.dir)
  t.match(shown.terminal.outText(), /^ROUTE +OWNER[^]*\nNote\.find +old +start +0[^]*\n0 of \d+ routes are handed over/)
  const given = await handover(front.dir, 'Note.find', 'GET /api/Notes/count')
  t.equal(given.code, 0)
  t.equal(given.terminal.outText(), 'Note.count handed over\nNote.find handed over')
  t.match((await handover(front.dir, 'Note.*')).terminal.outText(), /handed over\n2 of \d+ already were$/)
  t.equal((await front.route('other')).owner, 'old')
  const back = await handover(front.dir, '--all', '--back', '--json')
  t.match(JSON.parse(back.terminal.outText()), { owner: 'old' })
  t.equal((await front.route('Note.find')).owner, 'old')
  const wrong = await handover(front.dir, 'Note.nothing')
  t.same([wrong.code, /ROUTE_NOT_KNOWN/.test(wrong.terminal.errText())], [1, true])
  t.equal((await handover(front.dir, '--back')).code, 2)
  await front.close()
  const ended = await handover(front.dir)
  t.same([ended.code, /NO_CONTROL/.test(ended.terminal.errText())], [1, true])
  t.throws(() => readFileSync(file))
})

t.test('modelwire handover asks a server elsewhere by --url, with the token of the environment', async (t) => {
  const front = await startFront(t, (await startOld(t)).url)
  const dir = makeFolder(t)
  const { url, token } = front.behind.access
  t.equal((await handover(dir, '--url', url)).code, 2)
  const env = { MODELWIRE_CONTROL_TOKEN: token }
  const terminal = { ...fakeTerminal(), env }
  t.equal(await run(['handover', dir, 'Note.find', '--url', url], terminal), 0)
  t.equal((await front.route('Note.find')).owner, 'new')
  const gone = { ...fakeTerminal(), env }
  t.equal(await run(['handover', dir, '--url', 'http://127.0.0.1:1'], gone), 1)
  t.match(gone.errText(), /NO_CONTROL/)
})

t.test('what answers in place of a control API is told as such', async (t) => {
  const pages = await startBare(
    t,
    createServer((_request, response) => void response.end('<p>hello</p>'))
  )
  const terminal = { ...fakeTerminal(), env: { MODELWIRE_CONTROL_TOKEN: 'x' } }
  t.equal(await run(['handover', makeFolder(t), '--url', pages.url], terminal), 1)
  t.match(terminal.errText(), /is not a control API.*\(NO_CONTROL\)/s)
})

t.test('a token that no header can carry is refused at once', async (t) => {
  const dir = makeFolder(t)
  for (const token of ['a b', 'a\n', 'ü']) {
    for (const args of [
      ['handover', dir, '--url', 'http://127.0.0.1:1'],
      ['serve', dir, '--behind', 'http://127.0.0.1:1']
    ]) {
      const terminal = { ...fakeTerminal(), env: { MODELWIRE_CONTROL_TOKEN: token } }
      t.equal(await run(args, terminal), 2)
      t.match(terminal.errText(), /MODELWIRE_CONTROL_TOKEN.*\(USAGE\)/s)
    }
  }
})

t.test('what fails within the control API is logged, and its text is not sent', async (t) => {
  const logged: unknown[] = []
  const log = { ...Fastify().log, error: (facts: unknown) => void logged.push(facts) }
  const table = {
    get entries(): never {
      throw new Error('secret detail')
    }
  }
  const parts = { table, handover: {}, old: new URL('http://old'), token: 'x', log }
  const server = makeControlServer(parts as never) // what is asked of them fails
  await server.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  const { port } = server.server.address() as AddressInfo // it listens on a port
  const answer = await askRaw(`http://127.0.0.1:${port}/state`, { authorization: 'Bearer x' })
  t.equal(answer.status, 500)
  t.match(JSON.parse(answer.text), { error: { code: 'CONTROL_FAILED', message: 'Internal Server Error' } })
  t.match(logged, [{ err: { message: 'secret detail' } }])
})
