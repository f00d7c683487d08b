import { modelwire, type ModelDefinition } from '@modelwire/core'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

const id = { type: 'string', id: true, generated: true } as const

const models: readonly ModelDefinition[] = [
  {
    name: 'Author',
    public: true,
    properties: { id, name: 'string' },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } }
  },
  {
    name: 'Book',
    public: true,
    properties: { id, title: 'string', pages: 'number' },
    relations: {
      author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' },
      tags: { type: 'hasMany', model: 'Tag', through: 'Tagging' }
    }
  },
  { name: 'Tag', public: true, properties: { id, name: 'string' } },
  {
    name: 'Tagging',
    properties: { id },
    relations: { book: { type: 'belongsTo', model: 'Book' }, tag: { type: 'belongsTo', model: 'Tag' } }
  }
]

async function serve(t: Test) {
  const server = await startOwnServer()
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await server.stop()
  })
  const connector = mongodb({ url: `${server.url}/includes` })
  await app.register(modelwire, { dataSources: { db: connector }, models, shutdownTime: 0 })
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const [Author, Book, Tag, Tagging] = ['Author', 'Book', 'Tag', 'Tagging'].map((name) => app.models.get(name))
  if (!Author || !Book || !Tag || !Tagging) throw new Error('a model is missing')
  const authors = await Author.create([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  const books = await Book.create(
    [0, 1, 2, 3, 4, 5, 6].map((at) => ({ title: `t${at}`, pages: 10 - at, authorId: authors[at % 2]?.['id'] }))
  )
  const tags = await Tag.create([{ name: 'x' }, { name: 'y' }])
  await Tagging.create(books.map((book, at) => ({ bookId: book['id'], tagId: tags[at % 2]?.['id'] })))
  const get = async (path: string): Promise<unknown> => {
    server.commands.length = 0
    const { statusCode, body } = await app.inject(`/api${path}`)
    t.equal(statusCode, 200, body)
    return JSON.parse(body)
  }
  const told = () => server.commands.map((command) => `${Object.keys(command)[0]} ${String(Object.values(command)[0])}`)
  return { get, told, app }
}

const filter = (value: object): string => `filter=${encodeURIComponent(JSON.stringify(value))}`

void t.test('each level of an include is one command', async (t) => {
  const { get, told } = await serve(t)
  t.match(await get(`/Authors?${filter({ include: 'books' })}`), [
    { name: 'a', books: [{ title: 't0' }, { title: 't2' }, { title: 't4' }, { title: 't6' }] },
    { name: 'b', books: [{ title: 't1' }, { title: 't3' }, { title: 't5' }] },
    { name: 'c', books: [] }
  ])
  t.same(told(), ['find Author', 'find Book'])
  const nested = { include: { books: ['author', 'tags'] } }
  t.match(await get(`/Authors?${filter(nested)}`), [{ books: [{ author: { name: 'a' }, tags: [{ name: 'x' }] }] }])
  t.same(told().toSorted(), ['find Author', 'find Author', 'find Book', 'find Tag', 'find Tagging'])
})

void t.test('lists are cut per parent, by one command', async (t) => {
  const { get, told } = await serve(t)
  const scope = { limit: 2, order: 'pages ASC', where: { pages: { gt: 4 } } }
  t.match(await get(`/Authors?${filter({ include: { relation: 'books', scope } })}`), [
    { name: 'a', books: [{ title: 't4' }, { title: 't2' }] },
    { name: 'b', books: [{ title: 't5' }, { title: 't3' }] },
    { name: 'c', books: [] }
  ])
  t.same(told(), ['find Author', 'aggregate Book'])
})

void t.test('records are found by related ones', async (t) => {
  const { get } = await serve(t)
  t.match(await get(`/Authors?${filter({ where: { books: { title: 't3' } } })}`), [{ name: 'b' }])
  t.match(await get(`/Books?${filter({ where: { tags: { name: 'y' } }, limit: 1 })}`), [{ title: 't1' }])
})
