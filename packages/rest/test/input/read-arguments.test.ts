import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { rest } from '#src/index.ts'

type Filter = { where?: Record<string, unknown> }

const accepts = [{ arg: 'filter', type: 'object', http: { source: 'query' } }]
const search = { accepts, returns: { arg: 'data', root: true }, http: { verb: 'get' } }

async function start(
  test: Pick<typeof t, 'teardown'>,
  replace?: (app: FastifyInstance) => void
): Promise<FastifyInstance> {
  const app = fastify()
  test.teardown(() => app.close())
  const models = [{ name: 'Book', public: true, properties: { title: 'string' }, methods: { search } }]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  const Book = app.models.get('Book')
  Object.assign(Book, { search: (filter: Filter = {}) => Object.assign(filter, { seen: true }) })
  replace?.(app)
  await app.register(rest, { prefix: '/api' })
  await Book.create([{ title: 'a' }, { title: 'b' }])
  return app
}

const url = (path: string, filter: object) => `/api/Books${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`

t.test('a method of the application may change its arguments, each time anew', async (t) => {
  const app = await start(t)
  for (let count = 0; count < 3; count++) {
    const answer = await app.inject(url('/search', { where: { title: 'a' } }))
    t.strictSame(answer.json(), { where: { title: 'a' }, seen: true })
  }
})

t.test('a predefined method that the application replaced may do so, too', async (t) => {
  const app = await start(t, ({ models }) => {
    const Book = models.get('Book')
    const original = Object.getPrototypeOf(Book) as typeof Book
    const findOnlyA = (filter: Filter = {}) => {
      filter.where = { ...filter.where, title: 'a' }
      return original.find.call(Book, filter)
    }
    Object.assign(Book, { find: findOnlyA })
  })
  for (let count = 0; count < 3; count++) {
    t.match((await app.inject(url('', { where: {} }))).json(), [{ title: 'a' }])
  }
})

t.test('a guard of the application may add to the filter of each call', async (t) => {
  const app = await start(t, ({ models }) => {
    models.addGuardSource(() => ({ args }) => {
      const filter = args['filter'] as Filter
      filter.where = { ...filter.where, title: 'a' }
    })
  })
  for (let count = 0; count < 3; count++) {
    t.match((await app.inject(url('', { where: {} }))).json(), [{ title: 'a' }])
  }
})

t.test('one text asked for again is answered from what is stored now', async (t) => {
  const app = await start(t)
  const request = url('', { where: { title: { inq: ['a', 'c'] } } })
  t.match((await app.inject(request)).json(), [{ title: 'a' }])
  await app.models.get('Book').create({ title: 'c' })
  t.match((await app.inject(request)).json(), [{ title: 'a' }, { title: 'c' }])
})

t.test('prototype keys in a query are refused, in compat mode ignored', async (t) => {
  const app = await start(t)
  const answer = await app.inject('/api/Books?filter[where][__proto__][title]=a')
  t.match([answer.statusCode, answer.json()], [400, { error: { code: 'PROPERTY_NAME_REFUSED' } }])
  const compat = fastify()
  t.teardown(() => compat.close())
  await compat.register(modelwire, {
    compat: true,
    dataSources: { db: memory() },
    models: [{ name: 'Book', public: true }]
  })
  await compat.register(rest, { prefix: '/api' })
  for (const query of ['filter[where][__proto__][title]=a', 'filter={"where":{"constructor":1}}', '__proto__[a]=1']) {
    t.strictSame((await compat.inject(`/api/Books?${query}`)).json(), [], query)
  }
})
