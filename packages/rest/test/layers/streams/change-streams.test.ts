import { request } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import memory from '@modelwire/connector-memory'
import modelwire, { type CoreOptions } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import type { RestOptions } from '#src/options.ts'
import { rest } from '#src/plugin.ts'
import { openEvents } from './open-events.ts'

const book = {
  name: 'Book',
  public: true,
  properties: { title: 'string', pages: 'number', secret: 'string' },
  hidden: ['secret'],
  methods: {
    numbers: { http: { verb: 'get', path: '/numbers' }, returns: { arg: 'all', type: 'ReadableStream', json: true } },
    wrong: { http: { verb: 'get', path: '/wrong' }, returns: { arg: 'all', type: 'ReadableStream', json: true } }
  }
}

/** A server that listens, with books; closed with the test. */
async function start(t: Test, options: RestOptions = {}, core: CoreOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [book], ...core })
  Object.assign(app.models.get('Book'), {
    numbers: () => Readable.from([{ n: 1 }, { n: 2 }]),
    wrong: () => 'no stream'
  })
  await app.register(rest, { prefix: '/api', ...options })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

const path = '/api/Books/change-stream'

for (const method of ['GET', 'POST'])
  t.test(`a stream opened with ${method} tells of changes as server-sent events`, async (t) => {
    const app = await start(t)
    const stream = await openEvents(app, path, { method })
    t.equal(stream.response.statusCode, 200)
    t.equal(stream.response.headers['content-type'], 'text/event-stream')
    t.match(stream.response.headers['cache-control'], /no-cache/)
    await app.inject({ method: 'POST', url: '/api/Books', payload: { title: 'Emma', secret: 's' } })
    await app.inject({ method: 'DELETE', url: '/api/Books/1' })
    await stream.until(() => stream.data().length === 2)
    t.strictSame(stream.data(), [
      { target: 1, data: { title: 'Emma', id: 1 }, type: 'create' },
      { target: 1, where: { id: 1 }, type: 'remove' }
    ])
    stream.close()
  })

t.test('where and fields choose; malformed ones are refused with 400', async (t) => {
  const app = await start(t)
  const asked = encodeURIComponent(JSON.stringify({ where: { pages: { gt: 5 } }, fields: ['title'] }))
  const stream = await openEvents(app, `${path}?options=${asked}`)
  await app.models.get('Book').create([
    { title: 'thin', pages: 2 },
    { title: 'thick', pages: 9 }
  ])
  await stream.until(() => stream.data().length > 0)
  t.strictSame(stream.data(), [{ target: 2, data: { title: 'thick' }, type: 'create' }])
  stream.close()
  const hidden = encodeURIComponent(JSON.stringify({ where: { secret: { like: 's%' } } }))
  for (const options of ['{"where":', 'x', '{"where":{"pages":{"above":1}}}', hidden]) {
    const answer = await app.inject(`${path}?options=${options}`)
    t.equal(answer.statusCode, 400, options)
  }
})

t.test('a client that accepts no events gets lines of JSON', async (t) => {
  const app = await start(t)
  const stream = await openEvents(app, path, { headers: { accept: 'application/json' } })
  t.equal(stream.response.headers['content-type'], 'application/json; boundary=NL')
  const lines: unknown[] = []
  stream.response.on('data', (text: string) =>
    lines.push(
      ...text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    )
  )
  await app.models.get('Book').create({ title: 'Emma' })
  await stream.until(() => lines.length === 2)
  const id = String((lines as unknown[][])[0]?.[0]) // of lists
  t.match(lines, [
    [id, 'new', {}],
    [id, 'data', { target: 1, data: { title: 'Emma', id: 1 }, type: 'create' }]
  ])
  stream.close()
})

t.test('who comes back with Last-Event-ID misses nothing', async (t) => {
  const app = await start(t)
  const Book = app.models.get('Book')
  const stream = await openEvents(app, path)
  await Book.create([{ title: 'a' }, { title: 'b' }])
  await stream.until(() => stream.data().length === 2)
  const ids = stream.blocks.flatMap(({ id }) => id ?? [])
  t.equal(ids.length, 3, 'where the stream begins, and after each event')
  stream.close()
  await Book.create({ title: 'meanwhile' })
  const again = await openEvents(app, path, { headers: { 'last-event-id': ids[1] ?? '' } })
  await again.until(() => again.data().length === 2)
  t.match(again.data(), [{ data: { title: 'b' } }, { data: { title: 'meanwhile' } }])
  t.notOk(again.blocks.some(({ event }) => event === 'reset'))
  again.close()
})

t.test('who comes back too late is told so', async (t) => {
  const app = await start(t, {}, { changeStreams: { kept: 1 } })
  const Book = app.models.get('Book')
  const stream = await openEvents(app, path)
  await stream.until(() => stream.blocks.some(({ id }) => id !== undefined))
  const [first = ''] = stream.blocks.flatMap(({ id }) => id ?? [])
  await Book.create([{ title: 'a' }, { title: 'b' }])
  for (const position of [first, 'another-1', 'nonsense']) {
    const again = await openEvents(app, path, { headers: { 'last-event-id': position } })
    await again.until(() => again.blocks.some(({ event }) => event === 'reset'))
    t.strictSame(again.data(), [])
    again.close()
  }
  stream.close()
})

t.test('an idle stream shows signs of life', async (t) => {
  const app = await start(t, { streams: { heartbeat: 0.02 } })
  const stream = await openEvents(app, path)
  await stream.until(() => stream.blocks.length > 3)
  t.strictSame(stream.data(), [])
  stream.close()
})

t.test('a server that closes ends its streams in good order', async (t) => {
  const app = await start(t)
  const stream = await openEvents(app, path)
  await stream.until(() => stream.blocks.length > 0)
  await app.close()
  await stream.closed
  t.equal(stream.blocks.at(-1)?.['event'], 'end')
})

t.test('a client that leaves is forgotten', async (t) => {
  const app = await start(t, {}, { changeStreams: { keptFor: 0 } })
  const stream = await openEvents(app, path)
  t.equal(app.models.changes.hasListeners('Book'), true)
  stream.close()
  await until(() => !app.models.changes.hasListeners('Book'), 'the client to be forgotten')
})

t.test('so is one that leaves before its stream is open', async (t) => {
  const app = await start(t)
  const source = new Readable({ read: () => {} })
  const left = new Promise<void>((resolve) => {
    app.server.once('connection', (socket: Socket) => socket.once('close', resolve))
  })
  const asking = request(new URL('/api/Books/numbers', app.listeningOrigin), { agent: false })
  const numbers = async (): Promise<Readable> => {
    asking.destroy()
    await left
    return source
  }
  Object.assign(app.models.get('Book'), { numbers })
  asking.on('error', () => {}).end()
  await until(() => source.destroyed, 'the stream to be ended')
})

t.test('a client that does not read is dropped, with a line in the log, and others lose nothing', async (t) => {
  const lines: string[] = []
  const app = Fastify({
    forceCloseConnections: true,
    logger: { level: 'warn', stream: { write: (line) => void (line.includes('dropped') && lines.push(line)) } }
  })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [book], changeStreams: { waiting: 20 } })
  await app.register(rest, { prefix: '/api' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const [slow, quick] = [await openEvents(app, path), await openEvents(app, path)]
  slow.response.pause()
  const title = 'x'.repeat(100_000)
  for (let count = 0; count < 300 && lines.length === 0; count++) {
    await app.models.get('Book').create({ title })
    await quick.until(() => quick.data().length === count + 1)
  }
  t.match(lines.join(''), /"msg":"a reader of a stream was dropped"/)
  slow.response.resume()
  await slow.closed
  quick.close()
})

t.test('a method of the application may give a stream of its own', async (t) => {
  const app = await start(t)
  const stream = await openEvents(app, '/api/Books/numbers')
  await stream.closed
  t.strictSame(stream.data(), [{ n: 1 }, { n: 2 }])
  t.equal(stream.blocks.at(-1)?.['event'], 'end')
  const wrong = await app.inject('/api/Books/wrong')
  t.equal(wrong.statusCode, 500)
})

t.test('rights are asked again while a stream lives', async (t) => {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [book] })
  let isAllowed = true
  let asked = 0
  app.models.addGuardSource(() => () => {
    asked++
    if (!isAllowed) throw Object.assign(new Error('not any more'), { statusCode: 403 })
  })
  await app.register(rest, { prefix: '/api', streams: { recheck: 0.02 } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await openEvents(app, path)
  await until(() => asked > 3, 'rights to be asked for again')
  t.equal(stream.response.readableEnded, false)
  isAllowed = false
  await stream.closed
  const last = stream.blocks.at(-1)
  t.match(last, { event: 'error', data: /"statusCode":403/ })
})

t.test('a caller whose view has changed has to open the stream again', async (t) => {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [book] })
  let pages = 5
  let asked = 0
  app.models.addGuardSource(() => (context) => {
    asked++
    context.args = { ...context.args, options: { where: { pages } } }
  })
  await app.register(rest, { prefix: '/api', streams: { recheck: 0.02 } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await openEvents(app, path)
  await app.models.get('Book').create([{ pages: 5 }, { pages: 6 }])
  await stream.until(() => stream.data().length === 1)
  const before = asked
  await until(() => asked > before + 2, 'rights to be asked for again')
  t.equal(stream.response.readableEnded, false)
  pages = 6
  await stream.closed
  t.match(stream.blocks.at(-1), { event: 'error', data: /"code":"STREAM_RIGHTS_CHANGED"/ })
})
