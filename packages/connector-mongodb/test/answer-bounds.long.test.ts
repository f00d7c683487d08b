import { modelwire, type ModelDefinition } from '@modelwire/core'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

const id = { type: 'number', id: true, generated: false } as const
const models: ModelDefinition[] = [
  {
    name: 'Author',
    public: true,
    properties: { id },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } }
  },
  {
    name: 'Book',
    public: true,
    properties: { id, title: 'string', pages: ['object'] },
    relations: {
      author: { type: 'belongsTo', model: 'Author' },
      twins: { type: 'referencesMany', model: 'Book', foreignKey: 'twinIds' }
    }
  }
]

/** Thirty books of three authors, served with bounds of answers. */
async function open(t: Test, answer: object) {
  const server = await startOwnServer()
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await server.stop()
  })
  const dataSources = { db: mongodb({ url: `${server.url}/bounds` }) }
  await app.register(modelwire, { dataSources, models, shutdownTime: 0 })
  await app.register(relations)
  await app.register(rest, { prefix: '/api', answer })
  await app.ready()
  const all = Array.from({ length: 30 }, (_, at) => at + 1)
  await app.models.get('Author').create([1, 2, 3].map((one) => ({ id: one })))
  await app.models
    .get('Book')
    .create(all.map((one) => ({ id: one, title: `title ${one}`, authorId: (one % 3) + 1, twinIds: [1, 2, 3] })))
  server.commands.length = 0
  const get = async (path: string, filter: object) =>
    app.inject(`/api/${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  return { app, server, get }
}

const deep = { relation: 'author', scope: { include: 'books' } }
const lists = [
  { filter: {}, records: 30 },
  { filter: { include: 'author' }, records: 30 + 30 },
  { filter: { include: 'twins' }, records: 30 + 90 },
  { filter: { include: deep }, records: 30 + 30 + 300 },
  { filter: { limit: 2, include: deep }, records: 2 + 2 + 20 },
  {
    filter: {
      limit: 2,
      include: { relation: 'author', scope: { include: { relation: 'books', scope: { limit: 3 } } } }
    },
    records: 2 + 2 + 6
  }
]

const tooLarge = (option: string) => ({
  error: { statusCode: 400, code: 'ANSWER_TOO_LARGE', message: new RegExp(option) }
})

void t.test('answers have as many records as they may, those of includes counted as often as they come', async (t) => {
  for (const { filter, records } of lists) {
    const enough = await open(t, { records })
    t.equal((await enough.get('Books', filter)).statusCode, 200, JSON.stringify(filter))
    const few = await open(t, { records: records - 1 })
    t.match((await few.get('Books', filter)).json(), tooLarge('answer.records'), JSON.stringify(filter))
  }
})

void t.test('the database is asked for one record beyond the bound, not for all', async (t) => {
  const { server, get } = await open(t, { records: 12 })
  await get('Books', {})
  t.match(server.commands.at(-1), { find: 'Book', limit: 13 })
  await get('Authors', { include: { relation: 'books', scope: { limit: 5 } } })
  const pipeline = server.commands.at(-1)?.['pipeline']
  const [last] = Array.isArray(pipeline) ? pipeline.slice(-1) : []
  t.ok(Number(last?.['$limit']) <= 13, JSON.stringify(pipeline))
})

void t.test('large documents, lists within them and lists of them are bounded by their bytes', async (t) => {
  const { app, get } = await open(t, { bytes: 2 * 1024 * 1024 })
  const pages = Array.from({ length: 400 }, () => ({ text: 'x'.repeat(1000) }))
  const { collection } = app.models.typeOf('Book')
  for (const one of [1, 2, 3, 4, 5, 6]) await collection?.replace(one, { id: one, authorId: 1, pages })
  t.equal((await get('Books', { limit: 4 })).statusCode, 200)
  t.match((await get('Books', { limit: 6 })).json(), tooLarge('answer.bytes'))
  t.match((await get('Authors', { include: 'books' })).json(), tooLarge('answer.bytes'))
  await collection?.replace(1, { id: 1, pages: Array.from({ length: 6 }, () => pages) })
  t.match((await get('Books', { limit: 1 })).json(), tooLarge('answer.bytes'), 'one document alone')
  t.equal((await get('Books', { where: { id: { gt: 10 } } })).statusCode, 200, 'the next one is served')
})
