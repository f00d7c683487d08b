import type { ModelDefinition } from '@modelwire/core'
import type { Operation } from '@modelwire/core/plugin'
import t from 'tap'
import { makeApp } from '../make-app.ts'

const target: ModelDefinition = { name: 'Target', properties: { text: 'string' } }
const toMany = ['findById', 'destroyById', 'updateById', 'get', 'create', 'delete', 'count']
const linked = ['findById', 'destroyById', 'updateById', 'link', 'unlink', 'exists', 'get', 'create', 'delete', 'count']

const kinds: readonly [string, object, string[]][] = [
  ['belongsTo', {}, ['get']],
  ['hasOne', {}, ['get', 'create', 'update', 'destroy']],
  ['hasMany', {}, toMany],
  ['hasMany', { through: 'Link' }, linked],
  ['hasManyThrough', { through: 'Link' }, linked],
  ['hasAndBelongsToMany', {}, linked],
  ['referencesMany', {}, linked],
  ['embedsOne', { property: 'part' }, ['get', 'create', 'update', 'destroy']],
  ['embedsMany', { property: 'parts' }, toMany]
]

async function operationsOf(t: Parameters<typeof makeApp>[0], relation: object): Promise<readonly Operation[]> {
  const owner = { name: 'Owner', relations: { items: { type: 'hasMany', model: 'Target', ...relation } } }
  const { app } = await makeApp(t, [owner, target, { name: 'Link', properties: {} }])
  const { operationSources } = app.models
  return operationSources.flatMap((source) => source(app.models.typeOf('Owner')))
}

for (const [type, more, expected] of kinds) {
  void t.test(`${type} ${JSON.stringify(more)} has the methods and access types of LoopBack`, async (t) => {
    const operations = await operationsOf(t, { type, ...more })
    t.strictSame(
      operations.map(({ name }) => name),
      expected.map((method) => `prototype.__${method}__items`)
    )
    const reads = new Set(['get', 'count', 'findById', 'exists'])
    for (const { name, accessType, onInstance } of operations) {
      const method = /__(\w+?)__/.exec(name)?.[1] ?? ''
      t.strictSame([accessType, onInstance], [reads.has(method) ? 'READ' : 'WRITE', true], name)
    }
  })
}

const endpoints: Readonly<Record<string, string>> = {
  findById: 'GET /:id/things/:fk',
  destroyById: 'DELETE /:id/things/:fk',
  updateById: 'PUT /:id/things/:fk',
  link: 'PUT /:id/things/rel/:fk',
  unlink: 'DELETE /:id/things/rel/:fk',
  exists: 'HEAD /:id/things/rel/:fk',
  get: 'GET /:id/things',
  create: 'POST /:id/things',
  delete: 'DELETE /:id/things',
  count: 'GET /:id/things/count'
}

void t.test('the path is the relation’s own, or the one its options name', async (t) => {
  const operations = await operationsOf(t, {
    type: 'hasMany',
    through: 'Link',
    options: { http: { path: '/things/' } }
  })
  for (const [method, endpoint] of Object.entries(endpoints)) {
    const found = operations.find(({ name }) => name === `prototype.__${method}__items`)
    t.strictSame(
      found?.endpoints.map(({ verb, path }) => `${verb} ${path}`),
      [endpoint]
    )
  }
})

void t.test('a method that is switched off by name has no route', async (t) => {
  const owner = {
    name: 'Owner',
    relations: { items: { type: 'hasMany', model: 'Target' } },
    remoting: { sharedMethods: { 'prototype.__get__items': false, __count__items: false } }
  }
  // LB3: without "prototype." it is no method's name.
  for (const [compat, count] of [
    [false, 404],
    [true, 200]
  ] as const) {
    const test = await makeApp(t, [owner, target], { compat })
    await test.send('POST', '/Owners', {})
    t.equal((await test.get('/Owners/1/items')).status, 404)
    t.equal((await test.get('/Owners/1/items/count')).status, count)
    t.equal((await test.send('POST', '/Owners/1/items', {})).status, 200, 'others are there')
    t.match((await test.get('/Owners/1', { include: 'items' })).body, { items: [{ id: 1 }] })
  }
})
