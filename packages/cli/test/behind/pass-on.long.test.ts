import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { startBare, startFront, startOld } from './front.ts'

t.test('everything is answered by the old server at first, with its own statuses, headers and bodies', async (t) => {
  const old = await startOld(t, (server) => {
    server.get('/cookies', async (_request, reply) => reply.header('set-cookie', ['a=1', 'b=2']).code(203).send('x'))
    server.options('/page', async (_request, reply) => reply.code(204).header('allow', 'GET').send())
  })
  const { url } = await startFront(t, old.url)
  const page = await fetch(`${url}/page?a=%20b&a[b]=1`)
  t.equal(await page.text(), '<p>old</p>')
  t.equal(old.asked.at(-1)?.url, '/page?a=%20b&a[b]=1', 'the query comes as it was sent')
  const head = await fetch(`${url}/page`, { method: 'HEAD' })
  t.same([head.status, head.headers.get('content-length'), await head.text()], [200, '10', ''])
  const cookies = await fetch(`${url}/cookies`)
  t.same([cookies.status, cookies.headers.getSetCookie()], [203, ['a=1', 'b=2']])
  const options = await fetch(`${url}/page`, { method: 'OPTIONS' })
  t.same([options.status, options.headers.get('allow')], [204, 'GET'])
  t.match(await (await fetch(`${url}/nowhere`, { method: 'DELETE' })).json(), { error: { message: 'old DELETE' } })
  t.same(await (await fetch(`${url}/api/Notes`)).json(), [])
})

t.test('a GET keeps its body, as LoopBack reads it', async (t) => {
  const bare = await startBare(
    t,
    createServer((req, res) => req.pipe(res))
  )
  const { url } = await startFront(t, bare.url)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${url}/page`, { method: 'GET', headers: { 'content-length': 3 } })
    asked.once('response', resolve).once('error', reject)
    asked.end('abc')
  })
  t.equal(String(Buffer.concat(await answer.toArray())), 'abc')
})

/** What a client sees of an answer, having sent these headers. */
async function headersFrom(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers })
    asked.once('response', (res) => resolve(res.resume().headers)).once('error', reject)
    asked.end()
  })
}

t.test('headers of a connection stay with it, and the old server learns who asked', async (t) => {
  let seen: IncomingHttpHeaders = {}
  const hop = ['Connection', 'close, X-Hop', 'X-Hop', '1', 'Keep-Alive', 'timeout=1']
  const bare = await startBare(
    t,
    createServer((req, res) => {
      seen = req.headers
      res.writeHead(200, [...hop, 'Vary', 'A', 'Vary', 'B']).end('x')
    })
  )
  const { url } = await startFront(t, bare.url)
  const answer = await headersFrom(`${url}/page`, {
    host: 'shop.example',
    connection: 'keep-alive, x-mine',
    'x-mine': '1',
    te: 'trailers',
    expect: '100-continue',
    'x-forwarded-for': '10.0.0.1'
  })
  t.match(seen, {
    host: 'shop.example',
    'x-forwarded-for': '10.0.0.1, 127.0.0.1',
    'x-forwarded-host': 'shop.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': new URL(url).port
  })
  for (const name of ['x-mine', 'te', 'expect']) t.notOk(name in seen, name)
  t.notOk('x-hop' in answer)
  t.equal(answer['vary'], 'A, B')
  t.not(answer['keep-alive'], 'timeout=1')
})

const told = { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '1', 'x-forwarded-proto': 'https' }

t.test('what a client says of host, port and protocol goes on only where it is a trusted proxy', async (t) => {
  const old = await startOld(t)
  const ask = async (behindTrust: readonly string[] | undefined): Promise<void> => {
    const { url } = await startFront(t, old.url, behindTrust === undefined ? {} : { behindTrust })
    await headersFrom(`${url}/page`, { ...told, host: 'shop.example' })
    const own = {
      'x-forwarded-host': 'shop.example',
      'x-forwarded-port': new URL(url).port,
      'x-forwarded-proto': 'http'
    }
    t.match(old.asked.at(-1)?.headers, behindTrust?.includes('127.0.0.0/8') === true ? told : own)
  }
  for (const trust of [undefined, ['10.0.0.0/8', '::1'], ['10.0.0.1,10.0.0.2', '127.0.0.0/8']]) await ask(trust)
})

for (const address of ['proxy', '10.0.0.0/33', '10.0.0.0/', '::1/129'])
  t.test(`--behind-trust ${address} is refused`, async (t) => {
    const old = await startOld(t)
    await t.rejects(startFront(t, old.url, { behindTrust: [address] }), { code: 'USAGE' })
  })

t.test('--behind-host own sends the name of the old server', async (t) => {
  const old = await startOld(t)
  const { url } = await startFront(t, old.url, { behindHost: 'own' })
  await fetch(`${url}/page`)
  t.match(old.asked.at(-1)?.headers, { host: new URL(old.url).host, 'x-forwarded-host': new URL(url).host })
})

t.test('large bodies pass in both directions without being kept', async (t) => {
  const part = Buffer.alloc(65_536, 'x')
  const parts = 512
  const old = await startOld(t, (server) => {
    server.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    server.post('/echo', async ({ body }, reply) => reply.send(body))
  })
  const { url } = await startFront(t, old.url)
  const body = Readable.toWeb(Readable.from(Array.from({ length: parts }, () => part)))
  const answer = await fetch(`${url}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: body as never, // the same stream by another name
    duplex: 'half'
  } as RequestInit)
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += (chunk as Uint8Array).length
  t.equal(bytes, part.length * parts)
})

t.test('an event stream is open before anything comes, and the old server hears when its reader leaves', async (t) => {
  const events = new EventEmitter()
  const left = once(events, 'left')
  const old = await startOld(t, (server) => {
    server.get('/api/Notes/change-stream', (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.raw.flushHeaders()
      reply.raw.once('close', () => events.emit('left'))
      setImmediate(() => reply.raw.write('event: data\n\n'))
    })
  })
  const { url } = await startFront(t, old.url)
  const reader = new AbortController()
  const answer = await fetch(`${url}/api/Notes/change-stream`, { signal: reader.signal })
  t.equal(answer.headers.get('content-type'), 'text/event-stream')
  const first = await answer.body?.getReader().read()
  t.equal(Buffer.from((first?.value as Uint8Array | undefined) ?? []).toString(), 'event: data\n\n')
  reader.abort()
  t.same(await left, [])
})

t.test('an old server that is down is a 502, one that is slow a 504, and neither touches the state', async (t) => {
  const bare = await startBare(t, createServer())
  const slow = await startFront(t, bare.url, { behindTimeout: '50' })
  const late = await fetch(`${slow.url}/api/Notes`)
  t.equal(late.status, 504)
  t.match(await late.json(), { error: { statusCode: 504, code: 'OLD_SERVER_TIMEOUT' } })
  const down = await startFront(t, 'http://127.0.0.1:1')
  const gone = await fetch(`${down.url}/api/Notes`, { method: 'POST', body: '{}' })
  t.equal(gone.status, 502)
  t.match(await gone.json(), { error: { statusCode: 502, code: 'OLD_SERVER_UNREACHABLE' } })
  t.equal((await down.route('Note.find')).owner, 'old')
})

t.test('an answer that the old server breaks off is broken off for the client, too', async (t) => {
  const bare = await startBare(
    t,
    createServer((_req, res) => {
      res.writeHead(200, { 'content-length': '100' })
      res.write('x')
      setImmediate(() => res.destroy())
    })
  )
  const { url } = await startFront(t, bare.url)
  const answer = await fetch(`${url}/page`)
  await t.rejects(answer.text())
})

t.test('a path that cannot be sent on is a 400', async (t) => {
  const old = await startOld(t)
  const { url } = await startFront(t, old.url)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const part of socket) text += String(part)
  t.match(text, /^HTTP\/1\.1 400 [^]*REQUEST_NOT_FORWARDABLE/)
})

t.test('a request that the old server answers is answered whole while this one closes', async (t) => {
  const old = await startOld(t)
  const events = new EventEmitter()
  const arrived = once(events, 'arrived')
  old.before = async () => {
    events.emit('arrived')
    await once(events, 'go')
  }
  const front = await startFront(t, old.url)
  const asked = fetch(`${front.url}/page`)
  await arrived
  const silent = connect(Number(new URL(front.url).port), '127.0.0.1').resume()
  await once(silent, 'connect')
  const closed = front.close()
  // Connections without a request are closed by then.
  await once(silent, 'close')
  events.emit('go')
  t.equal(await (await asked).text(), '<p>old</p>')
  await closed
})
