import t from 'tap'
import { product, send, startApp } from './start-app.ts'

void t.test('a model inherits from its base', async (t) => {
  const app = startApp(t, {
    models: [{ name: 'Lamp', base: 'Product', public: true, properties: { watts: 'number' } }, product]
  })
  t.equal((await send(app, 'POST /Lamps', { watts: 5 }))[0], 422, 'the rules of the base')
  t.strictSame(await send(app, 'POST /Lamps', { watts: '5', name: 'x', cost: 1 }), [
    200,
    { watts: 5, name: 'x', id: 1 }
  ])
})

void t.test('properties have a type, written as a text or as an object', async (t) => {
  const properties = { label: 'string', made: { type: 'date' }, parts: { type: 'object' } }
  const app = startApp(t, { models: [{ name: 'Toy', public: true, properties }] })
  const [, toy] = await send(app, 'POST /Toys', { label: 5, made: '2026-01-02', parts: { a: 1 } })
  t.strictSame(toy, { label: '5', made: '2026-01-02T00:00:00.000Z', parts: { a: 1 }, id: 1 })
})

void t.test('a hidden property is left out of answers', async (t) => {
  const app = startApp(t, { models: [product] })
  t.strictSame(await send(app, 'POST /Products', { name: 'Lamp', cost: 3 }), [200, { name: 'Lamp', id: 1 }])
  t.strictSame(await send(app, 'GET /Products'), [200, [{ name: 'Lamp', id: 1 }]])
  t.equal((await send(app, 'GET /Products?filter={"where":{"cost":3}}'))[0], 400, 'nor can it be found out')
})

void t.test('forceId: a client chooses ids only where the model lets it', async (t) => {
  const free = { ...product, name: 'Free', forceId: false }
  const app = startApp(t, { models: [product, free] })
  const [status, body] = await send(app, 'POST /Products', { id: 7, name: 'Lamp' })
  t.equal(status, 422)
  t.match(body, { error: { details: { codes: { id: ['absence'] } } } })
  t.strictSame(await send(app, 'POST /Frees', { id: 7, name: 'Lamp' }), [200, { name: 'Lamp', id: 7 }])
})

void t.test('forceId: in version 2 clients may choose ids', async (t) => {
  const app = startApp(t, { models: [product], core: { version: 2 } })
  t.strictSame(await send(app, 'POST /Products', { id: 7, name: 'Lamp' }), [200, { name: 'Lamp', id: 7 }])
})

void t.test('methods: prototype. marks a method of a record, any other key one of the model', async (t) => {
  const methods = {
    ping: { returns: { arg: 'answer', type: 'string' }, http: { path: '/ping', verb: 'get' } },
    'prototype.shout': { returns: { arg: 'text', type: 'string', root: true }, http: { path: '/shout', verb: 'get' } }
  }
  const app = startApp(t, { models: [{ ...product, methods }] })
  await app.after()
  const Product = app.models.get('Product')
  Object.assign(Product, { ping: async () => 'pong' })
  // A class has a prototype.
  Object.assign(Product.prototype as object, {
    shout(this: { name: string }) {
      return this.name.toUpperCase()
    }
  })
  await Product.create({ name: 'Lamp' })
  t.strictSame(await send(app, 'GET /Products/ping'), [200, { answer: 'pong' }])
  t.strictSame(await send(app, 'GET /Products/1/shout'), [200, 'LAMP'])
  t.equal((await send(app, 'GET /Products/9/shout'))[0], 404)
})

void t.test('mixins are applied with their options', async (t) => {
  const mixins = { TimeStamp: { createdAt: 'made' } }
  const app = startApp(t, { models: [{ ...product, mixins }] })
  const [, body] = await send(app, 'POST /Products', { name: 'Lamp' })
  t.match(body, { name: 'Lamp', made: /Z$/, updatedAt: /Z$/ })
})

const faulty: readonly (readonly [title: string, definition: object, code: string])[] = [
  ['a property name with a dot', { properties: { 'a.b': 'string' } }, 'PROPERTY_NAME_HAS_DOT'],
  ['a model named File', { name: 'File' }, 'MODEL_NAME_RESERVED'],
  ['a mixin that does not exist', { mixins: { Nobody: true } }, 'MIXIN_UNKNOWN'],
  [
    'a relation of no type',
    { relations: { owner: { type: 'belongs', model: 'Product' } } },
    'MODEL_DEFINITION_INVALID'
  ],
  ['a base that does not exist', { base: 'Nobody' }, 'BASE_MODEL_UNKNOWN']
]

for (const [title, definition, code] of faulty) {
  void t.test(`version 3 does not start with ${title}`, async (t) => {
    const app = startApp(t, { models: [{ name: 'Thing', public: true, ...definition }] })
    await t.rejects(
      async () => {
        await app.ready()
      },
      { code }
    )
  })
}

void t.test('version 2 starts with dots in names, a model named File and mixins that do not exist', async (t) => {
  const models = [{ name: 'File', public: true, properties: { 'a.b': 'string' }, mixins: { Nobody: true } }]
  const app = startApp(t, { models, core: { version: 2 } })
  t.strictSame(await send(app, 'POST /Files', { 'a.b': 'x' }), [200, { 'a.b': 'x', id: 1 }])
})

void t.test(
  'relations and access rules of a definition are kept for the packages that give them a meaning',
  async (t) => {
    const relations = {
      parts: { type: 'hasMany', model: 'Product', through: 'Link', foreignKey: 'wholeId', keyThrough: 'partId' }
    }
    const acls = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' as const, property: 'create' }]
    const app = startApp(t, { models: [{ ...product, relations, acls, public: false }, { name: 'Link' }] })
    await app.ready()
    t.strictSame(app.models.typeOf('Product').definition.relations, relations)
    t.strictSame(app.models.typeOf('Product').definition.acls, acls)
  }
)
