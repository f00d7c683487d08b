import t from 'tap'
import { answersAsLoopback, filesOf } from './answers.ts'
import { bootApp } from '../make-app.ts'

const method = (name: string, verb: string, path: string): string => `
  Cat.${name} = function () { arguments[arguments.length - 1](null, '${name}') }
  Cat.remoteMethod('${name}', { http: { verb: '${verb}', path: '${path}' }, returns: { arg: 'own', type: 'string' } })`
const methods = [
  ['notes', 'get', '/:id/notes'],
  ['addNote', 'post', '/:id/notes'],
  ['oneNote', 'get', '/:id/notes/:fk'],
  ['noteCount', 'get', '/:id/notes/count'],
  ['ofMe', 'get', '/me/notes'],
  ['named', 'get', '/old'],
  ['list', 'get', '/'],
  ['total', 'get', '/count'],
  ['one', 'get', '/:id'],
  ['free', 'get', '/free']
] as const
const models = {
  Cat: {
    file: {
      properties: { name: 'string' },
      relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'catId' } },
      scopes: { old: { where: { name: 'x' } } }
    },
    script: `module.exports = (Cat) => { ${methods.map(([name, verb, path]) => method(name, verb, path)).join('')} }`
  },
  Note: { file: { properties: { text: 'string' } } }
}

t.test('of methods at one path that of a relation or scope answers, then the predefined one', async (t) => {
  await answersAsLoopback(t, models, [
    ['POST /Cats {"name":"a"}', 200, { name: 'a', id: 1 }],
    ['POST /Cats/1/notes {"text":"n"}', 200, { text: 'n', catId: 1, id: 1 }],
    ['GET /Cats/1/notes', 200, [{ text: 'n', catId: 1, id: 1 }]],
    ['GET /Cats/1/notes/1', 200, { text: 'n', catId: 1, id: 1 }],
    ['GET /Cats/1/notes/count', 200, { count: 1 }],
    ['GET /Cats/me/notes', 200, { own: 'ofMe' }],
    ['GET /Cats/old', 200, []],
    ['GET /Cats', 200, [{ name: 'a', id: 1 }]],
    ['GET /Cats/count', 200, { count: 1 }],
    ['GET /Cats/1', 200, { name: 'a', id: 1 }],
    ['GET /Cats/free', 200, { own: 'free' }]
  ])
})

t.test('ids of 0 and the empty text are made in memory', async (t) => {
  await answersAsLoopback(
    t,
    { Thing: { file: { forceId: false } }, Own: { file: { properties: { id: { type: 'number', id: true } } } } },
    [
      ['POST /Things {"id":0}', 200, { id: 1 }],
      ['POST /Things {"id":""}', 200, { id: 2 }],
      ['POST /Things {"id":null}', 200, { id: 3 }],
      ['PUT /Things {"id":0}', 200, { id: 4 }],
      ['PATCH /Things {"id":0}', 200, { id: 5 }],
      ['POST /Things/replaceOrCreate {"id":0}', 200, { id: 6 }],
      ['GET /Things/0', 404],
      ['GET /Things/count', 200, { count: 6 }],
      ['POST /Owns {"id":0}', 200, { id: 1 }],
      ['POST /Owns {"id":0}', 200, { id: 2 }]
    ]
  )
})

t.test('items of an argument that is a list of a model are its instances', async (t) => {
  const script = `module.exports = (Cat) => {
    const show = (x) => Array.isArray(x) ? x.map(show) : x === null || x === undefined ? 'none' : x.constructor.name + JSON.stringify(x)
    for (const [name, type] of [['one', 'Line'], ['many', ['Line']], ['hidden', ['Hidden']]]) {
      Cat[name] = (x, cb) => cb(null, show(x))
      Cat.remoteMethod(name, { accepts: { arg: 'x', type }, returns: { arg: 'r', type: 'any' } })
    }
  }`
  const line = { file: { properties: { n: 'number' } } }
  await answersAsLoopback(t, { Cat: { script }, Line: line, Hidden: { ...line, config: { public: false } } }, [
    ['POST /Cats/one {"x":{"n":"5","y":1}}', 200, { r: 'Line{"n":5,"y":1}' }],
    ['POST /Cats/many {"x":[{"n":"5","y":1}]}', 200, { r: ['Line{"n":5,"y":1}'] }],
    ['POST /Cats/many {"x":[null]}', 200, { r: ['none'] }],
    ['POST /Cats/many {"x":null}', 200, { r: 'none' }],
    ['POST /Cats/many {"x":[1]}', 400],
    ['POST /Cats/many {"x":{"n":1}}', 400],
    ['POST /Cats/hidden {"x":[{"n":"5"}]}', 200, { r: ['Object{"n":"5"}'] }]
  ])
})

t.test('ranges compare objects as LoopBack does in memory', async (t) => {
  const record = { name: 'a', n: 1, meta: { k: 1 }, list: ['a'], any: 5, b: true }
  const properties = {
    name: 'string',
    n: 'number',
    d: 'date',
    b: 'boolean',
    meta: 'object',
    list: ['string'],
    any: 'any'
  }
  const found = ['{"n":{"gt":[]}}', '{"name":{"gte":{}}}', '{"name":{"gt":{"k":1}}}']
  const missed = ['meta', 'n', 'b', 'any', 'u', 'list'].flatMap((name) =>
    ['lt', 'lte', 'gt', 'gte'].map((operator) => `{"${name}":{"${operator}":{"k":1}}}`)
  )
  await answersAsLoopback(t, { Cat: { file: { properties } } }, [
    [`POST /Cats ${JSON.stringify(record)}`, 200],
    ...found.map((where) => [`GET /Cats/count?where=${where}`, 200, { count: 1 }] as const),
    ...[
      ...missed,
      '{"name":{"lt":{"k":1}}}',
      '{"meta":{"lt":[1]}}',
      '{"n":{"lt":{"toString":1}}}',
      '{"n":{"lt":[{"toString":1}]}}'
    ].map((where) => [`GET /Cats/count?where=${where}`, 200, { count: 0 }] as const)
  ])
})

t.test('an answer without content has a type', async (t) => {
  const script = `module.exports = (Cat) => {
    Cat.nothing = (cb) => cb()
    Cat.remoteMethod('nothing', { http: { verb: 'get' } })
  }`
  const server = await bootApp(t, filesOf({ Cat: { script } }))
  const { statusCode, headers } = await server.inject('/api/Cats/nothing')
  t.same([statusCode, headers['content-type']], [204, 'application/json; charset=utf-8'])
})
