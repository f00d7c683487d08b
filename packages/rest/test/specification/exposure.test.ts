import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t from 'tap'
import { product, send, startApp } from './start-app.ts'

void t.test('a model is exposed only when it is public', async (t) => {
  const app = startApp(t, { models: [product, { ...product, name: 'Secret', public: false }, { name: 'Silent' }] })
  for (const [path, status] of [
    ['/Products', 200],
    ['/Secrets', 404],
    ['/Silents', 404]
  ] as const) {
    t.equal((await send(app, `GET ${path}`))[0], status, path)
  }
})

void t.test('a model without a definition is schema-less and its data is not validated', async (t) => {
  const app = startApp(t, { models: [{ name: 'Note', public: true }] })
  t.strictSame(await send(app, 'POST /Notes', { any: { deep: [1] } }), [200, { any: { deep: [1] }, id: 1 }])
})

void t.test('a model uses the data source that it names', async (t) => {
  const dataSources = { first: memory(), second: memory() }
  const models = [
    { ...product, dataSource: 'second' },
    { ...product, name: 'Lost', dataSource: null }
  ]
  const app = startApp(t, { models, core: { dataSources } })
  t.equal((await send(app, 'POST /Products', { name: 'Lamp' }))[0], 200)
  t.equal(app.models.typeOf('Product').dataSource?.connector, dataSources.second)
  t.equal((await send(app, 'GET /Losts'))[0], 501, 'without a data source')
})

void t.test('an operation that the data source does not support has no endpoint', async (t) => {
  const full = memory()
  const readOnly: Connector = {
    name: 'read-only',
    capabilities: { ...full.capabilities, operations: new Set(['find', 'findById', 'count']) },
    connect: () => full.connect(),
    disconnect: () => full.disconnect(),
    ping: () => full.ping(),
    collection: (model) => full.collection(model)
  }
  const app = startApp(t, { models: [product], core: { dataSources: { db: readOnly } } })
  t.equal((await send(app, 'GET /Products'))[0], 200)
  for (const call of [
    'POST /Products',
    'PUT /Products',
    'DELETE /Products/1',
    'PATCH /Products/1',
    'POST /Products/update'
  ]) {
    t.equal((await send(app, call, {}))[0], 404, call)
  }
})

/** Names by which scripts and configuration switch methods off, with a call of each. */
const calls: Readonly<Record<string, string>> = {
  create: 'POST /Products',
  replaceOrCreate: 'PUT /Products',
  patchOrCreate: 'PATCH /Products',
  deleteById: 'DELETE /Products/1',
  updateAll: 'POST /Products/update',
  'prototype.patchAttributes': 'PATCH /Products/1',
  count: 'GET /Products/count',
  createChangeStream: 'POST /Products/change-stream'
}

for (const [name, call] of Object.entries(calls)) {
  void t.test(`a disabled method and its endpoint are not available: ${name}`, async (t) => {
    const app = startApp(t, { models: [{ ...product, remoting: { sharedMethods: { [name]: false } } }] })
    t.equal((await send(app, call, {}))[0], 404)
    t.equal((await send(app, 'GET /Products'))[0], 200, 'others are')
  })
}

void t.test('with * false only the methods set true are exposed', async (t) => {
  const app = startApp(t, { models: [{ ...product, remoting: { sharedMethods: { '*': false, find: true } } }] })
  t.equal((await send(app, 'GET /Products'))[0], 200)
  for (const call of Object.values(calls)) t.equal((await send(app, call, {}))[0], 404, call)
})

void t.test('methods may be disabled for all models, and a model may enable them again', async (t) => {
  const own = { ...product, name: 'Gadget', remoting: { sharedMethods: { count: true } } }
  const app = startApp(t, { models: [product, own], rest: { sharedMethods: { count: false } } })
  t.equal((await send(app, 'GET /Products/count'))[0], 404)
  t.strictSame(await send(app, 'GET /Gadgets/count'), [200, { count: 0 }])
})

/** Names that the specification uses beside a method's own, with calls of the method. */
const otherNames: Readonly<Record<string, string>> = {
  upsert: 'PATCH /Products',
  updateOrCreate: 'PATCH /Products',
  destroyById: 'DELETE /Products/1',
  removeById: 'DELETE /Products/1',
  updateAttributes: 'PATCH /Products/1',
  'prototype.updateAttributes': 'PATCH /Products/1',
  patchAttributes: 'PATCH /Products/1'
}

void t.test('aliases, and names of methods of records without their prefix, switch methods off and on', async (t) => {
  for (const [name, call] of Object.entries(otherNames)) {
    const remoting = (sharedMethods: Record<string, boolean>) => ({ ...product, remoting: { sharedMethods } })
    const off = startApp(t, { models: [remoting({ [name]: false })] })
    t.equal((await send(off, call, {}))[0], 404, name)
    t.equal((await send(off, 'GET /Products'))[0], 200, 'others are there')
    const all = startApp(t, { models: [product], rest: { sharedMethods: { [name]: false } } })
    t.equal((await send(all, call, {}))[0], 404, `${name}, of all models`)
    const on = startApp(t, { models: [remoting({ '*': false, create: true, [name]: true })] })
    t.equal((await send(on, 'POST /Products', { name: 'a' }))[0], 200)
    t.equal((await send(on, call, { id: 1, name: 'b' }))[0], 200, `${name} alone`)
  }
})

void t.test('in version 2 the names upsert and updateAttributes switch PUT off', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { version: 2, dataSources: { db: memory() }, models: [product] })
  for (const name of ['upsert', 'prototype.updateAttributes']) app.models.typeOf('Product').methods.disable(name)
  await app.register(rest, { prefix: '/api' })
  t.equal((await send(app, 'PUT /Products', { id: 1, name: 'x' }))[0], 404)
  t.equal((await send(app, 'PUT /Products/1', { name: 'x' }))[0], 404)
})
