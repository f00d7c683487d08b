import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import type { Gate } from '#src/behind/gate.ts'
import { intercept } from '#src/behind/intercept.ts'
import type { Tunnels } from '#src/behind/pass-on/tunnel.ts'
import { startBare, startFront, startOld } from './front.ts'
import { testCertificate } from './test-certificate.ts'

const answerOk: RequestListener = (_request, response) => void response.end('ok')

/** A server that changes to web sockets and sends back what it gets. */
function echoServer(): Server {
  const server = createServer((_req, res) => res.end('plain'))
  server.on('upgrade', (req, socket) => {
    const key = createHash('sha1')
      .update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`
    )
    socket.pipe(socket)
  })
  return server
}

/** Sends a head, and gives what comes until `pattern` fits. */
async function speak(
  t: Test,
  url: string,
  text: string
): Promise<{ socket: Socket; until: (pattern: RegExp) => Promise<string> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  let seen = ''
  socket.on('data', (part: Buffer) => (seen += part.toString('latin1')))
  await once(socket, 'connect')
  socket.write(text)
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(seen)) await Promise.race([once(socket, 'data'), once(socket, 'end')])
    return seen
  }
  return { socket, until }
}

const upgrade = (protocol: string, more = ''): string =>
  `GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`

t.test('web sockets pass to the old server, byte by byte, and end with this one', async (t) => {
  const old = await startBare(t, echoServer())
  const front = await startFront(t, old.url)
  const { socket, until } = await speak(t, front.url, upgrade('websocket'))
  // The answer of RFC 6455, section 1.3.
  t.match(await until(/\r\n\r\n/), /^HTTP\/1\.1 101 [^]*s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/)
  socket.write('hello')
  t.match(await until(/hello$/), /hello$/)
  t.match(await front.route('other'), { answered: { old: 1, new: 0 } }, 'it is counted')
  const ended = once(socket, 'close')
  await front.close()
  await ended
})

t.test('a web socket that the old server refuses gets its answer; one that is down a 502', async (t) => {
  const old = await startOld(t)
  const refused = await speak(t, (await startFront(t, old.url)).url, upgrade('websocket'))
  t.match(await refused.until(/old GET/), /^HTTP\/1\.1 404 /)
  const down = await speak(t, (await startFront(t, 'http://127.0.0.1:1')).url, upgrade('websocket'))
  t.match(await down.until(/UNREACHABLE/), /^HTTP\/1\.1 502 /)
})

t.test('an offer of HTTP/2 is declined: the request is answered, with its body', async (t) => {
  const old = await startOld(t, (server) => {
    server.post('/sum', async ({ body }) => ({ got: body }))
  })
  const front = await startFront(t, old.url)
  const get = await speak(
    t,
    front.url,
    upgrade('h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__\r\n').replace('/live', '/page')
  )
  t.match(await get.until(/old<\/p>/), /^HTTP\/1\.1 200 /)
  const post = await speak(
    t,
    front.url,
    'POST /sum HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n' +
      'Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
  )
  t.match(await post.until(/got.*\}/), /\{"got":\{"a":1\}\}/)
})

t.test('web sockets pass to an old server at an address of IPv6', async (t) => {
  const old = echoServer().listen(0, '::1')
  t.teardown(() => old.close())
  const [failure] = await Promise.race([once(old, 'listening'), once(old, 'error')])
  if (failure !== undefined) {
    t.pass('there is no IPv6 here')
    return
  }
  const { port } = old.address() as AddressInfo // it listens on a port
  const front = await startFront(t, `http://[::1]:${port}`)
  const { until } = await speak(t, front.url, upgrade('websocket'))
  t.match(await until(/\r\n\r\n/), /^HTTP\/1\.1 101 /)
  t.equal(await (await fetch(`${front.url}/x`)).text(), 'plain')
})

const gate: Gate = {
  enter: () => 'new',
  forward: async () => undefined,
  ownerOfSocket: () => 'new',
  countSocket: () => undefined
}
const tunnels: Tunnels = { open: () => undefined, close: () => undefined }
const offerOfHttp2 =
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n'

for (const [name, make, open] of [
  ['http', () => createServer(answerOk), (port: number) => connect(port, '127.0.0.1')],
  [
    'https',
    () => createHttps(testCertificate, answerOk),
    (port: number) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  ]
] as const)
  t.test(`over ${name} each offer of HTTP/2 is declined, and the connection is announced once`, async (t) => {
    const server = make()
    const announced: unknown[] = []
    for (const event of ['connection', 'secureConnection']) server.on(event, () => announced.push(event))
    intercept(server, gate, tunnels)
    server.listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on a port
    const socket: Duplex = open(port)
    t.teardown(() => socket.destroy())
    for (const at of [1, 2, 3]) {
      socket.write(offerOfHttp2)
      const [answer] = (await once(socket, 'data')) as [Buffer] // no encoding is set
      t.match(String(answer), /^HTTP\/1\.1 200 /, `offer ${at}`)
    }
    t.strictSame(announced, name === 'https' ? ['connection', 'secureConnection'] : ['connection'])
  })

t.test('web sockets of the application are its own once all other requests are handed over', async (t) => {
  const old = await startBare(t, echoServer())
  const front = await startFront(t, old.url)
  await front.give('new', 'other')
  const none = await speak(t, front.url, upgrade('websocket', 'Accept: application/json\r\n'))
  t.match(await none.until(/Cannot GET/), /^HTTP\/1\.1 404 /)
  front.server.server.on('upgrade', (_req, socket) => socket.end('HTTP/1.1 101 Mine\r\n\r\n'))
  const mine = await speak(t, front.url, upgrade('websocket'))
  t.match(await mine.until(/\r\n\r\n/), /^HTTP\/1\.1 101 Mine/)
})

t.test('what only says that it is a web socket goes where its route went', async (t) => {
  const old = await startOld(t, (server) => {
    server.post('/sum', async ({ body }) => ({ got: body }))
  })
  const front = await startFront(t, old.url, { sample: '0' })
  await front.give('new', 'Note.find', 'Note.deleteById')
  const offer = upgrade('websocket', 'Content-Type: application/json\r\nContent-Length: 7\r\n')
  const read = await speak(t, front.url, upgrade('websocket').replace('/live', '/api/Notes'))
  t.match(await read.until(/\[\]/), /^HTTP\/1\.1 200 /)
  const change = await speak(t, front.url, upgrade('websocket').replace('GET /live', 'DELETE /api/Notes/1'))
  t.match(await change.until(/"count"/), /^HTTP\/1\.1 200 /)
  t.same(old.asked, [], 'the old server was asked nothing')
  const post = await speak(t, front.url, `${offer.replace('GET /live', 'POST /sum')}{"a":1}`)
  t.match(await post.until(/got.*\}/), /\{"got":\{"a":1\}\}/, 'a body is not lost')
})
