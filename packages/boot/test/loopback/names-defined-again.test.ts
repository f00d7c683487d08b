import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { answersAsLoopback, type Exchange } from './answers.ts'

const tagScript = `module.exports = (Tag) => {
  Tag.own = (cb) => cb(null, 'old')
  Tag.remoteMethod('own', { http: { verb: 'get' }, returns: { arg: 'x', type: 'string' } })
}`
const models = {
  Shop: { file: { properties: { name: 'string' }, relations: { tags: { type: 'hasMany', model: 'Tag' } } } },
  Tag: {
    file: { properties: { label: 'string' }, relations: { shop: { type: 'belongsTo', model: 'Shop' } } },
    script: tagScript
  }
}
const begin: readonly Exchange[] = [
  ['POST /Shops {"name":"s"}', 200, { name: 's', id: 1 }],
  ['POST /Tags {"label":"a","shopId":1}', 200, { label: 'a', shopId: 1, id: 1 }]
]
const oldAnswers: readonly Exchange[] = [
  ...begin,
  ['GET /Tags/own', 200, { x: 'old' }],
  ['GET /Shops/1/tags', 200, [{ label: 'a', shopId: 1, id: 1 }]],
  ['GET /Shops?filter={"include":"tags"}', 200, [{ name: 's', id: 1, tags: [{ label: 'a', shopId: 1, id: 1 }] }]],
  ['GET /Tags?filter={"include":"shop"}', 200, [{ label: 'a', shopId: 1, id: 1, shop: { name: 's', id: 1 } }]]
]
const bootScript = (body: string) => ({
  'server/boot/again.js': `module.exports = (app) => { const loopback = require('loopback'); ${body} }`
})
/** What a boot script kept in the settings. */
const kept = (server: FastifyInstance, name: string): unknown => server.loopback.get(name)
const look = `app.set('seen', {
  app: app.models.Tag === New, get: loopback.getModel('Tag') === New, find: loopback.findModel('Tag') === New,
  builder: app.dataSources.db.modelBuilder.models.Tag === New, source: app.dataSources.db.models.Tag === New,
  relation: app.models.Shop.relations.tags.modelTo === New, shared: Object.keys(app.remoteObjects())
})`
const seen = {
  app: false,
  get: true,
  find: true,
  builder: true,
  source: true,
  relation: false,
  shared: ['Shop', 'Tag']
}

for (const [what, body] of [
  ['PersistedModel.extend', "const New = loopback.PersistedModel.extend('Tag', null, { acls: [] })"],
  ['createModel', "const New = app.registry.createModel('Tag', { other: 'string' }, { strict: true })"],
  ['extend of the model itself', "const New = app.models.Tag.extend('Tag', { other: 'string' })"]
] as const)
  t.test(`${what} leaves a model of the application its name, routes and relations`, async (t) => {
    const server = await answersAsLoopback(t, models, oldAnswers, bootScript(`${body}; ${look}`))
    t.same(kept(server, 'seen'), seen)
  })

t.test('the later model keeps its properties, relations and hooks for itself until it is added', async (t) => {
  const server = await answersAsLoopback(
    t,
    models,
    [
      ...begin,
      ['GET /Tags', 200, [{ label: 'a', shopId: 1, id: 1 }]],
      ['GET /Shops/1/news', 200, [{ label: 'a', shopId: 1, id: 1 }]],
      ['GET /Subs/own', 404]
    ],
    bootScript(`const New = app.dataSources.db.createModel('Tag', { other: 'string' })
      New.defineProperty('late', { type: 'string' })
      New.observe('before save', (context, next) => next(new Error('of the new one')))
      New.beforeRemote('find', (context, unused, next) => next(new Error('of the new one')))
      app.models.Shop.hasMany(New, { as: 'news', foreignKey: 'shopId' })
      app.model(app.registry.createModel('Sub', {}, { base: 'Tag' }), { dataSource: 'db' })
      app.set('names', [app.models.Tag, New, app.models.Sub].map((one) => Object.keys(one.definition.properties).sort()))
      app.set('isNew', app.models.Shop.relations.news.modelTo === New)`)
  )
  t.same(kept(server, 'names'), [
    ['id', 'label', 'shopId'],
    ['id', 'late', 'other', 'shopId'],
    ['id', 'late', 'other', 'shopId']
  ])
  t.equal(kept(server, 'isNew'), true)
})

t.test('app.model replaces it: records in memory stay, and relations keep the class that they had', async (t) => {
  const server = await answersAsLoopback(
    t,
    models,
    [
      ...begin,
      ['GET /Tags/own', 404],
      ['GET /Shops/1/tags', 200, [{ label: 'a', shopId: 1, id: 1 }]],
      ['POST /Shops/1/tags {"label":"b"}', 200, { label: 'b', shopId: 1, id: 2 }],
      ['GET /Tags?filter={"fields":["id","other"]}', 200, [{ id: 1 }, { id: 2 }]],
      ['DELETE /Tags/1', 500]
    ],
    bootScript(`const New = loopback.PersistedModel.extend('Tag', { other: 'string' })
      New.beforeRemote('deleteById', (context, unused, next) => next(new Error('of the new one')))
      app.model(New, { dataSource: 'db' })
      ${look}`)
  )
  t.match(kept(server, 'seen'), { app: true, get: true, relation: false, shared: ['Shop', 'Tag'] })
})
