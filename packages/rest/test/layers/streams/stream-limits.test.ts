import { type IncomingMessage, request as send } from 'node:http'
import { Readable } from 'node:stream'
import memory from '@modelwire/connector-memory'
import modelwire from '@modelwire/core'
import { takeTime, until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'
import { type Connection, openEvents } from './open-events.ts'

const path = '/api/Books/change-stream'

interface World {
  readonly app: FastifyInstance
  /** The stream that `endless` gave last. */
  readonly last: () => Readable | undefined
  /** Whether nobody may listen from now on. */
  readonly setForbidden: (value: boolean) => void
}

/** A server that listens, whose callers name themselves by a header. */
async function start(
  t: Test,
  streams: NonNullable<RestOptions['streams']>,
  mounts: readonly string[] = []
): Promise<World> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  const returns = { arg: 'all', type: 'ReadableStream', json: true }
  const methods = { endless: { http: { verb: 'get', path: '/endless' }, returns } }
  const book = { name: 'Book', public: true, properties: { title: 'string' }, methods }
  await app.register(modelwire, { dataSources: { db: memory() }, models: [book] })
  let last: Readable | undefined
  let isForbidden = false
  Object.assign(app.models.get('Book'), {
    endless: () => (last = new Readable({ objectMode: true, read: () => {} }))
  })
  app.models.addGuardSource(() => () => {
    if (isForbidden) throw Object.assign(new Error('not any more'), { statusCode: 403 })
  })
  app.addHook('onRequest', async (request) => {
    const { user } = request.headers
    if (typeof user === 'string') request.principal = { userId: user }
  })
  await app.register(rest, { prefix: '/api', batch: true, streams })
  for (const prefix of mounts) await app.register(rest, { prefix, streams })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, last: () => last, setForbidden: (value) => void (isForbidden = value) }
}

t.test('no timer runs for a server that did not start', async (t) => {
  const begun = t.capture(globalThis, 'setInterval')
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [{ name: 'Book', public: true }] })
  await app.register(rest, { prefix: '/api', streams: { heartbeat: 3, recheck: 4 } })
  app.addHook('onReady', async () => {
    throw new Error('a check failed')
  })
  await t.rejects(async () => app.ready())
  t.strictSame(begun(), [])
})

const openAs = ({ app }: World, user?: string, at = path): Promise<Connection> =>
  openEvents(app, at, { headers: user === undefined ? {} : { user } })

async function refusalOf({ response }: Connection) {
  let text = ''
  for await (const part of response) text += String(part)
  const { statusCode, headers } = response
  return { status: statusCode, wait: Number(headers['retry-after']), body: JSON.parse(text) as unknown }
}

t.test('a caller has so many streams open; those of others do not count', async (t) => {
  const world = await start(t, { perCaller: 2, heartbeat: 7.5 })
  const own = [await openAs(world, 'ann'), await openAs(world, 'ann')]
  const refusal = await refusalOf(await openAs(world, 'ann'))
  t.match(refusal, { status: 429, wait: 8, body: { error: { statusCode: 429, code: 'TOO_MANY_STREAMS' } } })
  const others = [await openAs(world, 'bob'), await openAs(world), await openAs(world)]
  t.strictSame(
    [...own, ...others].map(({ response }) => response.statusCode),
    [200, 200, 200, 200, 200]
  )
  t.equal((await openAs(world)).response.statusCode, 429, 'callers without an account count by their network')
  await world.app.models.get('Book').create({ title: 'Emma' })
  await own[0]?.until(() => own[0]?.data().length === 1)
  for (const each of [...own, ...others]) each.close()
})

t.test('all callers together have so many', async (t) => {
  const world = await start(t, { perProcess: 2 })
  const open = [await openAs(world, 'ann'), await openAs(world, 'bob')]
  const refusal = await refusalOf(await openAs(world, 'cid'))
  t.match(refusal, { status: 503, wait: 25, body: { error: { code: 'SERVER_STREAMS_FULL' } } })
  for (const each of open) each.close()
})

const endings: Readonly<Record<string, (connection: Connection, world: World) => unknown>> = {
  'its client leaves': (connection) => connection.close(),
  'its source ends': (_connection, world) => world.last()?.push(null),
  'its source fails': (_connection, world) => world.last()?.destroy(new Error('a fault')),
  'its caller may not listen any more': (_connection, world) => world.setForbidden(true)
}

for (const [name, end] of Object.entries(endings))
  t.test(`a stream gives its place back when ${name}`, async (t) => {
    const world = await start(t, { perCaller: 1, perProcess: 1, recheck: 0.02 })
    const place = '/api/Books/endless'
    for (const round of [1, 2, 3]) {
      const connection = await openAs(world, 'ann', place)
      t.equal(connection.response.statusCode, 200, `round ${round}`)
      t.equal((await openAs(world, 'ann', place)).response.statusCode, 429)
      t.equal(world.last()?.destroyed, true, 'the source of a refused stream is closed')
      connection.close()
      await connection.closed
      await untilFree(world, place)
      const own = await openAs(world, 'ann', place)
      await end(own, world)
      await own.closed
      world.setForbidden(false)
      await untilFree(world, place)
    }
  })

/** Waits until a stream can be opened. */
async function untilFree(world: World, place: string): Promise<void> {
  await until(async () => {
    const connection = await openAs(world, 'ann', place)
    connection.close()
    await connection.closed
    return connection.response.statusCode === 200
  }, 'the place of a stream')
  // That of the stream that was just opened.
  await until(async () => world.last()?.destroyed === true, 'the stream to be closed')
}

t.test('a caller who does not read the end of a stream neither keeps its place nor ends the server', async (t) => {
  const world = await start(t, { perCaller: 1, recheck: 0.02, heartbeat: 0.02 })
  const place = '/api/Books/endless'
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = new URL(place, world.app.listeningOrigin)
    send(url, { headers: { user: 'ann' }, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
  t.teardown(() => void response.destroy())
  // More than the buffers of both ends of a connection hold.
  for (let count = 0; count < 400; count += 1) world.last()?.push({ text: 'a'.repeat(65_536) })
  await until(async () => world.last()?.isPaused() === true, 'a connection that takes no more')
  world.setForbidden(true)
  await until(async () => world.last()?.destroyed === true, 'the end of the stream')
  // Each check finds an end that was not read.
  await takeTime(500, 'it is checked every 20 ms')
  world.setForbidden(false)
  await until(async () => {
    const connection = await openAs(world, 'ann', place)
    connection.close()
    await connection.closed
    return connection.response.statusCode === 200
  }, 'the place of a stream that nobody reads')
})

t.test('mounts of one application count together', async (t) => {
  const world = await start(t, { perCaller: 1 }, ['/v2'])
  const first = await openAs(world, 'ann')
  t.equal((await openAs(world, 'ann', '/v2/Books/change-stream')).response.statusCode, 429)
  first.close()
})

t.test('a batch that asks for a stream takes no place', async (t) => {
  const world = await start(t, { perCaller: 1 })
  for (const id of ['a', 'b', 'c']) {
    const payload = { requests: [{ id, method: 'GET', url: '/Books/change-stream' }] }
    const answer = await world.app.inject({ method: 'POST', url: '/api/batch', payload })
    t.match(answer.json(), { responses: [{ status: 400, body: { error: { code: 'INVALID_BATCH' } } }] })
  }
  const connection = await openAs(world)
  t.equal(connection.response.statusCode, 200)
  connection.close()
})
