import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import type { Connector, Filter, Row } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const records = 2500

const rowsOfPart = 100

const large = { records: 1_000_000, bytes: 1_000_000_000 }

/** What became of the parts of a server. */
interface Seen {
  /** Parts that were read. */
  read: number
  /** Reads by parts that began. */
  begun: number
  /** Reads by parts that ended, or were left. */
  ended: number
  /** Called before each part. */
  before: (part: number) => void
}

/** The memory connector with a cursor. */
function withParts(seen: Seen): Connector {
  const connector = memory()
  const collectionOf = connector.collection.bind(connector)
  return Object.assign(connector, {
    collection: (model: Parameters<Connector['collection']>[0]) => {
      const collection = collectionOf(model)
      async function* findInParts(filter: Filter): AsyncGenerator<Row[]> {
        const rows = await collection.find(filter)
        seen.begun++
        try {
          for (let at = 0; at < rows.length; at += rowsOfPart) {
            seen.before(at / rowsOfPart)
            seen.read++
            yield rows.slice(at, at + rowsOfPart)
          }
        } finally {
          seen.ended++
        }
      }
      return { ...collection, findInParts }
    }
  })
}

async function start(t: Test, options: RestOptions = {}): Promise<{ app: FastifyInstance; seen: Seen }> {
  const seen: Seen = { read: 0, begun: 0, ended: 0, before: () => {} }
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [{ name: 'Item', public: true, properties: { text: 'string', at: 'date' } }]
  await app.register(modelwire, { dataSources: { db: withParts(seen) }, models })
  await app.register(rest, { prefix: '/api', ...options })
  const text = 'text "of" an item '.repeat(15)
  await app.models.get('Item').create(Array.from({ length: records }, () => ({ text, at: new Date(0) })))
  return { app, seen }
}

void t.test('a long list is the same whether it is written whole or in parts', async (t) => {
  const { app: whole, seen: none } = await start(t)
  const { app, seen } = await start(t, { answer: large })
  for (const query of [
    '',
    '?filter={"limit":1500,"skip":7}',
    '?filter={"fields":["text"]}',
    '?filter={"order":"id DESC"}'
  ]) {
    const [expected, answer] = [await whole.inject(`/api/Items${query}`), await app.inject(`/api/Items${query}`)]
    t.equal(answer.statusCode, 200)
    t.equal(answer.body, expected.body, query)
    t.equal(answer.headers['content-type'], expected.headers['content-type'])
    t.equal(answer.headers['x-content-type-options'], 'nosniff')
    t.equal(answer.headers['content-length'], undefined, 'its length is not known before')
  }
  t.equal(none.begun, 0)
  t.same([seen.begun, seen.ended], [4, 4])
})

void t.test('a list that ends within the first part is an answer like any other', async (t) => {
  const { app } = await start(t, { answer: large })
  for (const where of [{ id: 3 }, { id: { lte: rowsOfPart } }, { id: -1 }]) {
    const answer = await app.inject(`/api/Items?filter=${JSON.stringify({ where })}`)
    t.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.body)))
    t.equal(answer.json().length, 'object' === typeof where.id ? rowsOfPart : Math.max(0, Math.sign(where.id)))
  }
})

void t.test('observers see the records of each part', async (t) => {
  const { app } = await start(t, { answer: large })
  app.models.get('Item').observe('loaded', async ({ data }) => void Object.assign(data ?? {}, { text: 'seen' }))
  const list = (await app.inject('/api/Items')).json()
  t.equal(list.length, records)
  t.ok(list.every(({ text }: Row) => text === 'seen'))
})

const wholes: Readonly<Record<string, readonly [RestOptions, url?: string, headers?: Record<string, string>]>> = {
  'within the usual bounds': [{}],
  'with a bound of records': [{ answer: { ...large, records: 100_000 } }],
  'with a bound of bytes': [{ answer: { records: 1_000_000 } }],
  'with a limit of a part': [{ answer: large }, '?filter={"limit":1000}'],
  'with an entity tag': [{ answer: large, listETags: true }],
  'with links to pages': [{ answer: large }, '?filter={"order":"id"}', { prefer: 'links, count=exact' }],
  'as XML': [{ answer: large, answersXml: true }, '?_format=xml'],
  'as a script': [{ answer: large, answersJsonp: true }, '?callback=show', { accept: 'application/javascript' }]
}

for (const [how, [options, query = '', headers = {}]] of Object.entries(wholes))
  void t.test(`a list ${how} is read whole`, async (t) => {
    const { app, seen } = await start(t, options)
    t.equal((await app.inject({ url: `/api/Items${query}`, headers })).statusCode, 200)
    t.equal(seen.begun, 0)
  })

void t.test('a list is read whole for code that looks at it, and for HEAD', async (t) => {
  const { app, seen } = await start(t, { answer: large })
  t.equal((await app.inject({ method: 'HEAD', url: '/api/Items' })).body, '')
  t.equal((await app.models.get('Item').find()).length, records)
  t.equal(seen.begun, 0)
  const { app: hooked, seen: others } = await startHooked(t)
  t.equal((await hooked.inject('/api/Items')).json().length, 1)
  t.equal(others.begun, 0)
})

async function startHooked(t: Test): Promise<{ app: FastifyInstance; seen: Seen }> {
  const seen: Seen = { read: 0, begun: 0, ended: 0, before: () => {} }
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: withParts(seen) }, models: [{ name: 'Item', public: true }] })
  app.models.remoteHooks.add('after', 'Item.find', (context) => {
    context.result = [context.result].flat().slice(0, 1)
  })
  await app.register(rest, { prefix: '/api', answer: large })
  await app.models.get('Item').create([{}, {}, {}])
  return { app, seen }
}

void t.test('what fails in the first part is an error as ever', async (t) => {
  const { app, seen } = await start(t, { answer: large })
  seen.before = () => {
    throw Object.assign(new Error('refused'), { statusCode: 409, code: 'REFUSED' })
  }
  const answer = await app.inject('/api/Items')
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), { error: { code: 'REFUSED' } })
  t.equal(seen.ended, seen.begun)
})

void t.test('what fails later ends the connection: the client has no list', async (t) => {
  const { app, seen } = await start(t, { answer: large })
  seen.before = (part) => {
    if (part === 12) throw new Error('lost')
  }
  await t.rejects(app.inject('/api/Items'))
  t.equal(seen.read, 12)
  t.equal(seen.ended, 1)
  seen.before = () => {}
  t.equal((await app.inject('/api/Items')).json().length, records)
})

void t.test('a client that reads slowly holds back the database, and one that leaves ends the read', async (t) => {
  const { app, seen } = await start(t, { answer: large })
  const leave: (() => void)[] = []
  app.addHook('onRequest', (_request, reply, done) => {
    leave.push(() => reply.raw.destroy())
    done()
  })
  const answer = await app.inject({ url: '/api/Items', payloadAsStream: true })
  const body = answer.stream()
  await new Promise((resolve) => body.once('readable', resolve))
  // As many turns as the whole list would need, and more.
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  t.ok(seen.read < 10, `${seen.read} of ${records / rowsOfPart} parts were read`)
  for (const end of leave) end()
  await until(() => seen.ended === 1, 'the read to end')
  t.ok(seen.read < 10)
})
