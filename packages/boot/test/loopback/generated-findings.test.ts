import t from 'tap'
import { answersAsLoopback } from './answers.ts'

// Found by generated conversations; the answers are those of LoopBack 3.28.

t.test('an embedded record that is missing is null for scripts and hooks, then 404', async (t) => {
  const script = `module.exports = (M) => {
    M.afterRemote('prototype.__findById__parts', async (ctx) => { M.seen = String(ctx.result) })
    M.seenLast = async () => M.seen
    M.remoteMethod('seenLast', { http: { verb: 'get' }, returns: { arg: 'seen', type: 'string' } })
    M.missing = async () => String(await (await M.findById(1)).parts.findById('x'))
    M.remoteMethod('missing', { http: { verb: 'get' }, returns: { arg: 'found', type: 'string' } })
  }`
  const relations = { parts: { type: 'embedsMany', model: 'Part', property: 'items' } }
  const server = await answersAsLoopback(t, { Note: { file: { relations }, script }, Part: {} }, [
    ['POST /Notes {}', 200, { id: 1, items: [] }],
    ['GET /Notes/1/parts/x', 404],
    ['GET /Notes/seenLast', 200, { seen: 'null' }],
    ['GET /Notes/missing', 200, { found: 'null' }]
  ])
  t.match((await server.inject('/api/Notes/1/parts/x')).json(), { error: { code: 'MODEL_NOT_FOUND' } })
})

t.test('an embedded record that is not validated may be changed though its id is generated', async (t) => {
  const relations = {
    free: { type: 'embedsOne', model: 'Part', property: 'freeItem', options: { validate: false } },
    locked: { type: 'embedsOne', model: 'Part', property: 'lockedItem' }
  }
  const parts = { Part: { config: { dataSource: 'parts' } } }
  const sources = { 'server/datasources.json': { db: { connector: 'memory' }, parts: { connector: 'transient' } } }
  await answersAsLoopback(
    t,
    { Note: { file: { relations } }, ...parts },
    [
      ['POST /Notes {}', 200],
      ['POST /Notes/1/free {"id":"a"}', 200],
      ['PUT /Notes/1/free {"label":"b"}', 200, { id: 'a', label: 'b' }],
      ['POST /Notes/1/locked {}', 200],
      ['PUT /Notes/1/locked {"label":"b"}', 422]
    ],
    sources
  )
})

t.test('a hook after find does not make a page of nothing valid', async (t) => {
  const script = `module.exports = (M) => { M.afterRemote('find', async () => {}) }`
  await answersAsLoopback(t, { Note: { script } }, [
    ['POST /Notes {}', 200],
    ['GET /Notes?filter[limit]=0', 400],
    ['GET /Notes?filter={"limit":"0"}', 400],
    ['GET /Notes?filter={"limit":0}', 200, [{ id: 1 }]],
    ['GET /Notes?filter[limit]=1', 200, [{ id: 1 }]]
  ])
})

t.test('a property keeps its value where the base has a relation of that name', async (t) => {
  const author = { relations: { tags: { type: 'hasMany', model: 'Tag' } } }
  const tag = { base: 'Author', strict: 'filter', properties: { tags: ['string'] } }
  await answersAsLoopback(t, { Author: { file: author }, Tag: { file: tag } }, [
    ['POST /Tags {"tags":["b"],"other":1}', 200, { id: 1, tags: ['b'] }],
    ['PATCH /Tags {"id":1,"tags":["c"],"other":1}', 200, { id: 1, tags: ['c'] }],
    ['POST /Tags {"other":1}', 200, { id: 2 }]
  ])
})

t.test('operators below the name of a relation test a property that no record has', async (t) => {
  const relations = { tags: { type: 'hasMany', model: 'Tag', foreignKey: 'shopId' } }
  await answersAsLoopback(t, { Shop: { file: { relations } }, Tag: { file: { properties: { label: 'string' } } } }, [
    ['POST /Shops {}', 200],
    ['POST /Tags {"shopId":1,"label":"a"}', 200],
    ['GET /Shops?filter={"where":{"tags":{"nlike":"a"}}}', 200, [{ id: 1 }]],
    ['GET /Shops?filter={"where":{"tags":{"inq":["a"]}}}', 200, []],
    ['GET /Shops/count?where={"tags":{"neq":"a"}}', 200, { count: 1 }]
  ])
})

t.test('fields of an include that are an object leave the keys alone where something is included below', async (t) => {
  const author = { relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } } }
  const note = { relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } } }
  const include = (scope: object): string =>
    `GET /Notes?filter=${JSON.stringify({ include: { relation: 'author', scope } }).replaceAll(' ', '')}`
  const fields = { id: true, title: true }
  await answersAsLoopback(t, { Author: { file: author }, Book: {}, Note: { file: note } }, [
    ['POST /Authors {"title":"a"}', 200],
    ['POST /Notes {"authorId":1}', 200],
    [include({ fields }), 200, [{ id: 1, authorId: 1, author: { id: 1, title: 'a' } }]],
    [include({ fields, include: 'books' }), 200, [{ id: 1, authorId: 1, author: { id: 1, books: [] } }]],
    [
      include({ fields: ['id', 'title'], include: 'books' }),
      200,
      [{ id: 1, authorId: 1, author: { id: 1, title: 'a', books: [] } }]
    ]
  ])
})

t.test('an embedded record that is stored in a transient source gets an id of its type', async (t) => {
  const relations = { own: { type: 'embedsOne', model: 'Part', property: 'item', options: { persistent: true } } }
  const part = {
    file: { properties: { id: { type: 'number', id: true } } },
    config: { dataSource: 'parts', public: false }
  }
  const sources = { 'server/datasources.json': { db: { connector: 'memory' }, parts: { connector: 'transient' } } }
  const server = await answersAsLoopback(
    t,
    { Note: { file: { relations } }, Part: part },
    [['POST /Notes {}', 200]],
    sources
  )
  const { id } = (await server.inject({ method: 'POST', url: '/api/Notes/1/own', payload: {} })).json()
  t.ok(Number.isInteger(id), 'a number')
})

t.test('an invalid date in an embedded record makes the record invalid', async (t) => {
  const relations = {
    list: { type: 'embedsMany', model: 'Part', property: 'items' },
    one: { type: 'embedsOne', model: 'Part', property: 'item' }
  }
  const part = { file: { properties: { id: { type: 'string', id: true }, madeOn: 'date' } } }
  const server = await answersAsLoopback(t, { Note: { file: { relations } }, Part: part }, [
    ['POST /Notes {"items":[{"id":"a","madeOn":"2020-01-01"}]}', 200],
    ['POST /Notes {"item":{"id":"a","madeOn":""}}', 422],
    ['PATCH /Notes/1 {"items":[{"id":"a","madeOn":"x"}]}', 422]
  ])
  const codesOf = async (payload: object): Promise<unknown> =>
    (await server.inject({ method: 'POST', url: '/api/Notes', payload })).json().error.details.codes
  const wrong = (id: string): object => ({ id, madeOn: 'x' })
  t.strictSame(await codesOf({ items: [wrong('a'), { id: 'b' }] }), { items: ['invalid'] })
  t.strictSame(await codesOf({ items: [wrong('a'), { id: 'b' }, wrong('c')] }), { items: ['invalid', 'invalid'] })
  t.strictSame(await codesOf({ item: wrong('a') }), { one: ['invalid'] })
})

t.test('keys of a relation of the base that a model has otherwise keep their types, and nothing else', async (t) => {
  const relations = {
    list: { type: 'embedsMany', model: 'Part', property: 'items' },
    boss: { type: 'belongsTo', model: 'Author', foreignKey: 'bossId' },
    refs: { type: 'referencesMany', model: 'Tag', foreignKey: 'oldIds' }
  }
  const own = {
    list: { type: 'embedsMany', model: 'Part' },
    boss: { type: 'belongsTo', model: 'Author', foreignKey: 'ownId' },
    refs: { type: 'referencesMany', model: 'Tag', foreignKey: 'newIds' }
  }
  const models = {
    Author: { file: { relations } },
    Note: { file: { base: 'Author', relations: own } },
    Part: { file: { properties: { sold: { type: 'boolean', default: true } } } },
    Tag: {}
  }
  const empty = { parts: [], newIds: [] }
  await answersAsLoopback(t, models, [
    ['POST /Notes {}', 200, { id: 1, ...empty }],
    ['POST /Notes {"items":[{"label":"a"}]}', 200, { id: 2, ...empty, items: [{ sold: true, label: 'a' }] }],
    ['POST /Notes {"bossId":"5","ownId":"6"}', 200, { id: 3, ...empty, bossId: 5, ownId: 6 }],
    ['POST /Notes {"oldIds":["5"],"newIds":["6"]}', 200, { id: 4, parts: [], oldIds: [5], newIds: [6] }],
    ['PATCH /Notes/1 {"bossId":"7"}', 200, { id: 1, ...empty, bossId: 7 }],
    ['POST /Notes {"items":[{"id":1},{"id":1}]}', 200]
  ])
})
