import { createServer, IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import t from 'tap'
import { isRepeatable } from '#src/behind/compare/ask-sides.ts'
import { send } from '#src/diff/run-diff.ts'
import { startBare, startFront, startOld } from './front.ts'

/** Sends a head as it is, and gives all that comes until the server ends. */
async function speak(url: string, target: string, ...headers: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([`${target} HTTP/1.1`, 'Host: real', ...headers, '', ''].join('\r\n'))
  return String(Buffer.concat(await socket.toArray()))
}

const close = 'Connection: close'
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']

t.test('the old server is asked for a path, whatever form the target has', async (t) => {
  const old = await startOld(t)
  const { url } = await startFront(t, old.url)
  for (const [target, path] of [
    ['http://real/page?a=/b', '/page?a=/b'],
    ['HTTPS://REAL/page', '/page'],
    ['http://real', '/'],
    ['http://real?x', '/?x'],
    ['//evil.example/page', '//evil.example/page'],
    ['/a/..\\%2e/x;y?z', '/a/..\\%2e/x;y?z']
  ] as const) {
    await speak(url, `GET ${target}`, close)
    t.match(old.asked.at(-1), { url: path, headers: { host: 'real' } }, target)
  }
})

const refusal = /^HTTP\/1\.1 400 [^]*REQUEST_NOT_FORWARDABLE/

t.test('a target of another host, or without a path, is refused', async (t) => {
  const old = await startOld(t)
  const { url } = await startFront(t, `${old.url}/base`)
  for (const target of ['http://evil.example/page', 'http://real@evil.example/page', 'http://real:80/page']) {
    t.match(await speak(url, `GET ${target}`, close), refusal, target)
    t.match(await speak(url, `GET ${target}`, ...upgrade), refusal, target)
  }
  t.match(await speak(url, 'OPTIONS *', close), refusal)
  t.same(old.asked, [])
})

t.test('an upgrade to an absolute target asks the old server for its path', async (t) => {
  const asked: (string | undefined)[] = []
  const server = createServer()
  server.on('upgrade', ({ url }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
  })
  const { url } = await startFront(t, (await startBare(t, server)).url)
  t.match(await speak(url, 'GET http://real/live?x', ...upgrade), /^HTTP\/1\.1 403 /)
  t.same(asked, ['/live?x'])
})

t.test('only proxies that are trusted say what was forwarded', async (t) => {
  const old = await startOld(t)
  const said = ['Forwarded: for=10.0.0.1;host=evil', 'X-Forwarded-Prefix: /evil']
  for (const trust of [[], ['127.0.0.0/8']]) {
    const { url } = await startFront(t, old.url, { behindTrust: trust })
    await speak(url, 'GET /page', close, ...said)
    const { headers } = old.asked.at(-1) ?? {}
    const expected = trust.length === 0 ? [undefined, undefined] : ['for=10.0.0.1;host=evil', '/evil']
    t.same([headers?.['forwarded'], headers?.['x-forwarded-prefix']], expected)
  }
})

t.test('only a target that parsers of URLs leave as it is is asked again of both sides', async (t) => {
  const mayAskAgain = (url: string): boolean =>
    isRepeatable(Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url }))
  for (const url of [
    '/api/Notes/1?filter={"where":{"a":"b"}}',
    '//api/Notes',
    'http://real/api/Notes',
    '/a;b',
    '/%2e%5c'
  ])
    t.ok(mayAskAgain(url), url)
  for (const url of ['/api/Notes/..\\..\\page', '/api/../page', '/api/%2e%2e/page', '/a\\b', '/a#b', '*'])
    t.notOk(mayAskAgain(url), url)
})

t.test('recorded traffic is sent to no other server than the one that is compared', async (t) => {
  const old = await startOld(t)
  for (const path of ['//evil.invalid/page', '/\\evil.invalid/page', '/@evil.invalid'])
    t.equal((await send(new URL(old.url), { method: 'GET', path, headers: {} })).status, 404, path)
  t.equal(old.asked.length, 3)
})
