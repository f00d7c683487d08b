import t from 'tap'
import { answersAsLoopback } from './answers.ts'

const persists = `module.exports = (M) => { M.observe('persist', async (ctx) => { ctx.data.price = 4 }) }`
const loads = `module.exports = (M) => { M.observe('loaded', async (ctx) => { ctx.data.stock = 7 }) }`

t.test('replacements and links show what observers made of them', async (t) => {
  const properties = { price: { type: 'number', default: 5 } }
  const linked = (through: string) => ({ type: 'hasMany', model: 'Book', through })
  const keys = { author: { type: 'belongsTo', model: 'Author' }, book: { type: 'belongsTo', model: 'Book' } }
  await answersAsLoopback(
    t,
    {
      Tag: { file: { properties }, script: persists },
      Author: { file: { relations: { priced: linked('Price'), loaded: linked('Load') } } },
      Book: {},
      Price: { file: { properties, relations: keys }, script: persists },
      Load: { file: { relations: keys }, script: loads }
    },
    [
      ['POST /Tags {}', 200, { price: 5, id: 1 }],
      ['PUT /Tags/1 {}', 200, { price: 4, id: 1 }],
      ['POST /Authors {}', 200, { id: 1 }],
      ['POST /Books {}', 200, { id: 1 }],
      ['PUT /Authors/1/priced/rel/1 {}', 200, { price: 4, id: 1, authorId: 1, bookId: 1 }],
      ['PUT /Authors/1/loaded/rel/1 {}', 200, { id: 1, authorId: 1, bookId: 1, stock: 7 }]
    ]
  )
})

t.test('an observer of access decides which record an upsert is about', async (t) => {
  const script = `module.exports = (M) => {
    M.observe('access', async (ctx) => { ctx.query.where = Object.assign({}, ctx.query.where, { price: { neq: 3 } }) })
    M.validatesNumericalityOf('price', { int: true })
  }`
  const file = { properties: { id: { type: 'string', id: true }, price: 'number' } }
  await answersAsLoopback(t, { Book: { file, script } }, [
    ['PATCH /Books {"id":"d"}', 422],
    ['PATCH /Books {"id":"d","price":1}', 200, { id: '1', price: 1 }],
    ['PATCH /Books {"id":"d","price":3}', 200, { id: '2', price: 3 }],
    ['PUT /Books {"id":"d","price":5}', 200, { id: '3', price: 5 }],
    ['PATCH /Books {"id":"1","price":7}', 200, { id: '1', price: 7 }]
  ])
})

t.test('texts, truth and lists become what LoopBack makes of them', async (t) => {
  const properties = { n: 'number', b: 'boolean', d: 'date', o: 'object' }
  await answersAsLoopback(t, { Thing: { file: { properties } } }, [
    ['POST /Things {"n":true}', 200, { n: 1, id: 1 }],
    ['POST /Things {"n":false}', 200, { n: 0, id: 2 }],
    ['POST /Things {"n":[3]}', 200, { n: 3, id: 3 }],
    ['POST /Things {"b":{}}', 200, { b: true, id: 4 }],
    ['POST /Things {"d":true}', 200, { d: '1970-01-01T00:00:00.001Z', id: 5 }],
    ['POST /Things {"d":["2001"]}', 200, { d: '2001-01-01T00:00:00.000Z', id: 6 }],
    ['POST /Things {"d":"x"}', 422],
    ['PATCH /Things/1 {"n":true}', 200, { n: 1, id: 1 }],
    ['POST /Things {"o":"{\\"a\\":1}"}', 200, { o: '{"a":1}', id: 7 }],
    ['GET /Things/7', 200, { o: { a: 1 }, id: 7 }],
    ['GET /Things?filter={"where":{"id":7}}', 200, [{ o: { a: 1 }, id: 7 }]],
    ['PATCH /Things/7 {}', 200, { o: { a: 1 }, id: 7 }]
  ])
})

t.test('one id may be written in several ways', async (t) => {
  await answersAsLoopback(t, { Thing: { file: { properties: { n: 'number' } } } }, [
    ['POST /Things {}', 200, { id: 1 }],
    ['PATCH /Things {"id":"01","n":2}', 200, { n: 2, id: 1 }]
  ])
})

t.test('what observers set in a record of a strict model is answered, what they set in its data is not', async (t) => {
  const file = { strict: true, properties: { label: 'string' } }
  const saves = `module.exports = (M) => { M.observe('after save', async (ctx) => { ctx.instance.title = 'made' }) }`
  await answersAsLoopback(t, { Saved: { file, script: saves }, Loaded: { file, script: loads } }, [
    ['POST /Saveds {}', 200, { id: 1, title: 'made' }],
    ['GET /Saveds/1', 200, { id: 1 }],
    ['POST /Loadeds {}', 200, { id: 1 }],
    ['PATCH /Loadeds {"id":1}', 200, { id: 1 }],
    ['GET /Loadeds/1', 200, { id: 1 }]
  ])
})

t.test('the scope of a relation through another model counts for its list, its count and its records', async (t) => {
  const relations = {
    tags: { type: 'hasAndBelongsToMany', model: 'Tag', scope: { where: { label: 'a' } } },
    all: { type: 'hasMany', model: 'Tag', through: 'Link' }
  }
  const keys = { shop: { type: 'belongsTo', model: 'Shop' }, tag: { type: 'belongsTo', model: 'Tag' } }
  await answersAsLoopback(
    t,
    {
      Shop: { file: { relations } },
      Tag: { file: { properties: { label: 'string' } } },
      Link: { file: { relations: keys } }
    },
    [
      ['POST /Shops {}', 200],
      ['POST /Tags {"label":"b"}', 200],
      ['PUT /Shops/1/tags/rel/1', 200],
      ['GET /Shops/1/tags', 200, []],
      ['GET /Shops/1/tags/count', 200, { count: 0 }],
      ['GET /Shops/1/tags/1', 404],
      ['PUT /Shops/1/all/rel/4', 200],
      ['DELETE /Shops/1/all/4', 204],
      ['DELETE /Shops/1/all/4', 404]
    ]
  )
})

t.test('embedded records: which rules they break, null where there is none', async (t) => {
  const relations = {
    parts: { type: 'embedsMany', model: 'Part', property: 'list' },
    own: { type: 'embedsOne', model: 'Part', property: 'one' }
  }
  const server = await answersAsLoopback(
    t,
    { Thing: { file: { persistUndefinedAsNull: true, relations } }, Part: { file: { properties: { n: 'number' } } } },
    [
      ['POST /Things {}', 200, { id: 1, list: [], one: null }],
      ['GET /Things/1?filter={"include":"own"}', 200, { id: 1, list: [], one: null, own: null }]
    ]
  )
  const refused = await server.inject({ method: 'POST', url: '/api/Things', payload: { list: [{ n: 1 }, { n: 2 }] } })
  t.same(refused.json().error.details.codes, { list: ['invalid', 'invalid', 'uniqueness'] })
})
