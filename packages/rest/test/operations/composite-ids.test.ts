import { memory } from '@modelwire/connector-memory'
import { defineModel, type ModelDefinition, modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { Type } from '@sinclair/typebox'
import { assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const definitions: readonly ModelDefinition[] = [
  {
    name: 'Shop',
    public: true,
    properties: { name: { type: 'string', id: true } },
    relations: { prices: { type: 'hasMany', model: 'Price', foreignKey: 'shop' } }
  },
  {
    name: 'Price',
    public: true,
    optimisticLocking: true,
    properties: {
      shop: { type: 'string', id: true },
      region: { type: 'string', id: true },
      amount: 'number',
      sku: { type: 'string', unique: true }
    },
    relations: { history: { type: 'hasMany', model: 'Entry', foreignKey: 'sku', primaryKey: 'sku' } }
  },
  { name: 'Entry', public: true, plural: 'entries', properties: { text: 'string', sku: 'string' } }
]

async function start(t: Test, models: Parameters<typeof modelwire>[1]['models'] = definitions) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(relations)
  await app.register(rest, { prefix: '/api', batch: true })
  return app
}

async function startPrices(t: Test): Promise<FastifyInstance> {
  const app = await start(t)
  await app.models.get('Shop').create([{ name: 's1' }, { name: 's1,us' }])
  for (const [shop, region, amount] of [
    ['s1', 'us', 1],
    ['s1', 'eu', 2],
    ['s1,us', 'us', 3],
    ['a/b', '50%', 4],
    ['ü', '.', 5]
  ] as const)
    await app.models.get('Price').create({ shop, region, amount, sku: String(amount) })
  return app
}

async function send(app: FastifyInstance, line: string, payload?: object) {
  const [method = '', url = ''] = line.split(' ')
  const request = { method: method as 'GET', url: `/api${url}`, ...(payload && { payload }) } // tests name verbs
  const answer = await app.inject(request)
  return { status: answer.statusCode, body: answer.payload === '' ? undefined : answer.json(), headers: answer.headers }
}

void t.test('routes by the whole id', async (t) => {
  const app = await startPrices(t)
  for (const [id, amount] of [
    ['s1,us', 1],
    ['s1,eu', 2],
    ['s1%2Cus,us', 3],
    ['a%2Fb,50%25', 4],
    ['%C3%BC,.', 5],
    ['%73%31,us', 1]
  ] as const) {
    t.match(await send(app, `GET /Prices/${id}`), { status: 200, body: { amount } }, id)
    t.equal((await send(app, `HEAD /Prices/${id}`)).status, 200, id)
    t.match(await send(app, `GET /Prices/${id}/exists`), { body: { exists: true } }, id)
  }
  for (const id of ['s1', 's1%2Cus', 's1,', ',us', 's1,us,', 's1,xx', 's1,us,us'])
    for (const verb of ['GET', 'HEAD', 'PATCH', 'PUT'])
      t.equal(
        (await send(app, `${verb} /Prices/${id}`, verb.startsWith('P') ? { amount: 9 } : undefined)).status,
        404,
        `${verb} ${id}`
      )
  t.match(await send(app, 'PATCH /Prices/s1,us', { amount: 6 }), {
    status: 200,
    body: { amount: 6, shop: 's1', region: 'us' }
  })
  t.match(await send(app, 'PUT /Prices/s1,us', { amount: 7 }), {
    status: 200,
    body: { amount: 7, shop: 's1', region: 'us' }
  })
  t.match(await send(app, 'POST /Prices/s1,us/replace', { amount: 8, sku: '8' }), { status: 200, body: { amount: 8 } })
  t.match(await send(app, 'GET /Prices/s1,eu'), { body: { amount: 2 } })
  t.match(await send(app, 'DELETE /Prices/s1%2Cus,us'), { body: { count: 1 } })
  t.match(await send(app, 'DELETE /Prices/s1%2Cus,us'), { body: { count: 0 } })
  t.equal(await app.models.get('Price').count(), 4)
})

void t.test('a part of the id is not changed', async (t) => {
  const app = await startPrices(t)
  for (const line of ['PATCH /Prices/s1,us', 'PUT /Prices/s1,us', 'POST /Prices/s1,us/replace'])
    for (const data of [{ region: 'eu' }, { region: 'xx', amount: 1 }, { shop: 's1', region: 'eu' }])
      t.match(await send(app, line, data), { status: 400, body: { error: { code: 'ID_MISMATCH' } } }, line)
  t.match(await send(app, 'PATCH /Prices/s1,us', { shop: 's1', region: 'us', amount: 9 }), { status: 200 })
  t.match(await send(app, 'POST /Prices', { shop: 's1', region: 'us' }), { status: 409 })
  t.match(await send(app, 'POST /Prices', { shop: 's1' }), { status: 422 })
  t.match(await send(app, 'PATCH /Prices', { shop: 's1', region: 'eu', amount: 8 }), { body: { amount: 8 } })
  t.match(await send(app, 'PATCH /Prices', { shop: 's1', amount: 8 }), { status: 422 })
  t.equal(await app.models.get('Price').count(), 5)
})

void t.test('nested routes, in both directions', async (t) => {
  const app = await startPrices(t)
  t.match(await send(app, 'POST /Prices/a%2Fb,50%25/history', { text: 'x' }), { body: { text: 'x', sku: '4' } })
  t.match(await send(app, 'GET /Prices/a%2Fb,50%25/history'), { body: [{ text: 'x' }] })
  t.match(await send(app, 'GET /Prices/a%2Fb,50%25?filter={"include":"history"}'), {
    body: { history: [{ text: 'x' }] }
  })
  t.match(await send(app, 'GET /Shops/s1%2Cus/prices/s1%2Cus,us'), { body: { amount: 3 } })
  t.match(await send(app, 'PUT /Shops/s1/prices/s1,us', { amount: 9 }), { body: { amount: 9 } })
  t.match(await send(app, 'GET /Shops/s1/prices/s1%2Cus,us'), { status: 404 })
  t.match(await send(app, 'DELETE /Shops/s1/prices/s1,us'), { status: 204 })
  t.equal(await app.models.get('Price').count(), 4)
})

void t.test('bulk requests, batches and the address of a new record', async (t) => {
  const app = await startPrices(t)
  const answer = await send(app, 'POST /Prices/bulk', {
    update: [{ shop: 's1,us', region: 'us', amount: 9 }],
    delete: ['a%2Fb,50%25', 's1,us/../../Shops/s1']
  })
  t.match(answer, { body: { update: [{ status: 200 }], delete: [{ body: { count: 1 } }, { body: { count: 0 } }] } })
  const made = await app.inject({
    method: 'POST',
    url: '/api/Prices',
    headers: { prefer: 'return=minimal' },
    payload: { shop: 'a,b', region: 'x/y' }
  })
  t.equal(made.headers.location, '/api/Prices/a%2Cb,x%2Fy')
  t.match(await send(app, 'GET /Prices/a%2Cb,x%2Fy'), { status: 200 })
  const batch = await send(app, 'POST /batch', { requests: [{ id: '1', method: 'GET', url: '/Prices/a%2Cb,x%2Fy' }] })
  t.match(batch, { body: { responses: [{ status: 200, body: { shop: 'a,b' } }] } })
})

void t.test('the version of a record that is named by a whole id', async (t) => {
  const app = await startPrices(t)
  const { headers } = await send(app, 'GET /Prices/s1,us')
  const patch = async (etag: string) =>
    app.inject({ method: 'PATCH', url: '/api/Prices/s1,us', headers: { 'if-match': etag }, payload: { amount: 2 } })
  t.equal((await patch('"x"')).statusCode, 412)
  t.equal((await patch(String(headers['etag']))).statusCode, 200)
})

const part = oneof(
  string({ unit: 'binary', minLength: 1 }),
  constantFrom(',', '%', '%2C', '/', ' ', '..', 'null', '%u00')
)

void t.test('any strings are ids, and are told apart', async (t) => {
  const app = await start(t)
  const Price = app.models.get('Price')
  await assert(
    asyncProperty(part, part, async (shop, region) => {
      await Price.destroyAll()
      const made = await Price.create([
        { shop, region, amount: 1 },
        { shop: region, region: `${shop}x`, amount: 2 }
      ])
      const [first] = Array.isArray(made) ? made : [made]
      const id = String(first?.getId())
      const found = await Price.findById(id)
      const answer = await app.inject({ method: 'GET', url: `/api/Prices/${id}` })
      const shown: unknown = answer.json()
      return found?.['shop'] === shop && found['region'] === region && (shown as { amount: number }).amount === 1 // a record
    })
  )
})

void t.test('a model of TypeBox with several ids', async (t) => {
  const schema = Type.Object({
    shop: Type.String({ id: true }),
    year: Type.Integer({ id: true, generated: false }),
    amount: Type.Optional(Type.Number())
  })
  const app = await start(t, [defineModel('Total', schema, { public: true })])
  for (const line of ['POST /Totals', 'PATCH /Totals', 'PUT /Totals'])
    for (const [data, code] of [
      [{ shop: '', year: 2026 }, 'presence'],
      [{ year: 2026 }, 'presence']
    ] as const)
      t.match(
        await send(app, line, data),
        { status: 422, body: { error: { details: { codes: { shop: [code] }, messages: { shop: { length: 1 } } } } } },
        `${line} ${JSON.stringify(data)}`
      )
  t.equal(await app.models.get('Total').count(), 0)
  t.match(await send(app, 'POST /Totals', { shop: 'a', year: 2026, amount: 1 }), { status: 200 })
  t.match(await send(app, 'GET /Totals/a,2026'), { body: { amount: 1 } })
  t.match(await send(app, 'GET /Totals/a,x'), { status: 404 })
})

void t.test('an id that is taken outside of the default scope names its properties', async (t) => {
  const properties = {
    shop: { type: 'string', id: true },
    region: { type: 'string', id: true },
    open: 'boolean'
  } as const
  const app = await start(t, [{ name: 'Stall', public: true, properties, scope: { where: { open: true } } }])
  const Stall = app.models.get('Stall')
  await Stall.create({ shop: 's', region: 'us' })
  await Stall.modelType.collection?.update(undefined, { open: false })
  const taken = { code: 'DUPLICATE_KEY', details: { properties: ['shop', 'region'] } }
  await t.rejects(Stall.replaceOrCreate({ shop: 's', region: 'us' }), taken)
  await t.rejects(Stall.patchOrCreate({ shop: 's', region: 'us' }), taken)
})

void t.test('parts of ids that cannot be in a path are refused', async (t) => {
  const properties = { shop: { type: 'string', id: true, required: true }, note: { type: 'text', id: true } } as const
  const app = await start(t, [{ name: 'Memo', public: true, properties }])
  const Memo = app.models.get('Memo')
  const refused = { code: 'VALIDATION_FAILED', details: { messages: { shop: { length: 1 } } } }
  for (const shop of [undefined, null, '', '\uD800', 'a\uDC00b']) {
    await t.rejects(Memo.create({ shop, note: 'n' }), refused)
    await t.rejects(Memo.replaceOrCreate({ shop, note: 'n' }), refused)
    await t.rejects(Memo.patchOrCreate({ shop, note: 'n' }), refused)
    if (shop) t.equal(await Memo.findById({ shop, note: 'n' }), null)
  }
  await t.rejects(Memo.create({ shop: 's', note: 5 }), { code: 'VALIDATION_FAILED' }, 'a number is no text')
  t.equal(await Memo.count(), 0)
  await Memo.replaceOrCreate({ shop: 's', note: 5 })
  t.strictSame((await Memo.findById('s,5'))?.['note'], '5')
  for (const id of ['%ED%A0%80,n', '%uD800,n']) t.equal((await send(app, `GET /Memos/${id}`)).status, 400)
})

void t.test('relations that a single key cannot hold are refused', async (t) => {
  const keyed = { shop: { type: 'string', id: true }, region: { type: 'string', id: true } } as const
  const relation = async (own: object, other: object) =>
    start(t, [
      { name: 'Price', properties: keyed, relations: own } as ModelDefinition, // relations of any form
      { name: 'Note', properties: { text: 'string' }, relations: other } as ModelDefinition // as above
    ])
  const invalid = { code: 'RELATION_INVALID' }
  for (const [own, other] of [
    [{}, { price: { type: 'belongsTo', model: 'Price' } }],
    [{ notes: { type: 'hasMany', model: 'Note' } }, {}],
    [{ note: { type: 'hasOne', model: 'Note' } }, {}],
    [{}, { prices: { type: 'referencesMany', model: 'Price' } }],
    [{ notes: { type: 'hasAndBelongsToMany', model: 'Note' } }, {}],
    [{}, { prices: { type: 'embedsMany', model: 'Price' } }],
    [{}, { price: { type: 'belongsTo', model: 'Price', primaryKey: 'shop,region' } }]
  ] as const)
    await t.rejects(relation(own, other), invalid, JSON.stringify([own, other]))
  await t.resolves(relation({}, { price: { type: 'belongsTo', model: 'Price', primaryKey: 'shop' } }))
})
