import t from 'tap'
import type { ModelDefinition } from '@modelwire/core'
import { codeOf, makeApp } from '../make-app.ts'

const models: readonly ModelDefinition[] = [
  {
    name: 'Parcel',
    properties: { ref: 'string' },
    relations: {
      address: { type: 'embedsOne', model: 'Address', property: 'addressData' },
      lines: { type: 'embedsMany', model: 'Line' }
    }
  },
  {
    name: 'Address',
    base: 'Model',
    public: false,
    properties: { street: { type: 'string', required: true }, code: { type: 'string', hidden: true } }
  },
  {
    name: 'Line',
    base: 'Model',
    public: false,
    properties: {
      id: { type: 'number', id: true, generated: true },
      item: { type: 'string', required: true },
      count: { type: 'number', default: 1 }
    },
    relations: { product: { type: 'belongsTo', model: 'Product' } }
  },
  { name: 'Product', properties: { name: 'string' } }
]

const start = async (t: Parameters<typeof makeApp>[0]) => {
  const test = await makeApp(t, models)
  await test.send('POST', '/Parcels', { ref: 'P' })
  return test
}

void t.test('one embedded record: nothing, made, changed in part, removed', async (t) => {
  const test = await start(t)
  t.equal((await test.get('/Parcels/1/address')).status, 204)
  t.match((await test.send('POST', '/Parcels/1/address', { code: 'x' })).body, {
    error: { details: { context: 'Address' } }
  })
  t.match((await test.send('POST', '/Parcels/1/address', { street: 'A', code: 'x' })).body, {
    street: 'A',
    code: undefined
  })
  t.match((await test.send('PUT', '/Parcels/1/address', { street: 'B' })).body, { street: 'B' })
  t.match((await test.get('/Parcels', { include: 'address' })).body, [{ address: { street: 'B', code: undefined } }])
  t.equal((await test.send('DELETE', '/Parcels/1/address')).status, 204)
  t.equal(codeOf(await test.get('/Parcels/1/address')), 'MODEL_NOT_FOUND')
})

void t.test('a list of embedded records with ids of its own', async (t) => {
  const test = await start(t)
  t.strictSame((await test.send('POST', '/Parcels/1/lines', { item: 'nut' })).body, { id: 1, item: 'nut', count: 1 })
  t.match((await test.send('POST', '/Parcels/1/lines', { item: 'bolt', count: 5 })).body, { id: 2 })
  t.match((await test.send('POST', '/Parcels/1/lines', { item: 'dup', id: 2 })).body, {
    error: { details: { codes: { _lines: ['uniqueness'] } } }
  })
  t.match((await test.get('/Parcels/1/lines', { where: { count: { gt: 1 } } })).body, [{ item: 'bolt' }])
  t.match((await test.get('/Parcels/1/lines', { order: 'item', limit: 1 })).body, [{ item: 'bolt' }])
  t.strictSame((await test.get('/Parcels/1/lines/count')).body, { count: 2 })
  t.match((await test.send('PUT', '/Parcels/1/lines/1', { count: 9 })).body, { item: 'nut', count: 9 })
  for (const answer of [
    await test.get('/Parcels/1/lines/9'),
    await test.send('PUT', '/Parcels/1/lines/9', {}),
    await test.send('DELETE', '/Parcels/1/lines/9')
  ])
    t.equal(codeOf(answer), 'MODEL_NOT_FOUND')
  t.equal((await test.send('DELETE', '/Parcels/1/lines/1')).status, 204)
  t.match((await test.get('/Parcels/1/lines')).body, [{ id: 2 }])
})

void t.test('the rules of embedded records hold wherever they are written', async (t) => {
  const test = await start(t)
  t.match((await test.send('POST', '/Parcels', { addressData: {} })).body, {
    error: { details: { codes: { address: ['invalid'] } } }
  })
  t.match((await test.send('PATCH', '/Parcels/1', { _lines: [{ id: 1 }] })).body, {
    error: { details: { codes: { _lines: ['invalid'] } } }
  })
  const lines = [{ id: 1 }, { id: 2, item: 'x' }, { id: 3 }]
  const { body } = await test.send('POST', '/Parcels', { _lines: lines })
  t.has(body, { error: { details: { codes: { _lines: ['invalid', 'invalid'] } } } })
  t.match((await test.send('POST', '/Parcels', { _lines: [{ id: 1, item: 'x' }] })).body, { _lines: [{ count: 1 }] })
})

void t.test('what embedded records belong to is included in one query for all of them', async (t) => {
  const test = await start(t)
  await test.send('POST', '/Products', [{ name: 'p1' }, { name: 'p2' }])
  const lines = (productId: number) => [
    { id: 1, item: 'x', productId },
    { id: 2, item: 'y', productId: 2 }
  ]
  await test.send('PATCH', '/Parcels/1', { _lines: lines(1) })
  await test.send('POST', '/Parcels', { _lines: lines(2) })
  test.calls.length = 0
  const { body } = await test.get('/Parcels', { include: { lines: 'product' } })
  t.strictSame(test.calls, [
    { model: 'Parcel', method: 'find' },
    { model: 'Product', method: 'find' }
  ])
  t.match(body, [
    { lines: [{ product: { name: 'p1' } }, { product: { name: 'p2' } }] },
    { lines: [{ product: { name: 'p2' } }, {}] }
  ])
})

void t.test(
  'the scope of a list of embedded records selects and includes, also where the list is included',
  async (t) => {
    const [parcel, ...others] = models
    const lines = {
      type: 'embedsMany',
      model: 'Line',
      scope: { include: 'product', where: { item: { neq: 'x' } } }
    } as const
    const test = await makeApp(t, [{ ...parcel, name: 'Parcel', relations: { lines } }, ...others])
    await test.send('POST', '/Products', [{ name: 'p1' }])
    const parts = ['x', 'y'].map((item, at) => ({ id: at + 1, item, productId: 1 }))
    await test.send('POST', '/Parcels', { ref: 'P', _lines: parts })
    const shown = [{ id: 2, item: 'y', count: 1, productId: 1, product: { name: 'p1', id: 1 } }]
    t.strictSame((await test.get('/Parcels/1/lines')).body, shown)
    t.strictSame((await test.get('/Parcels/1/lines', { include: 'product' })).body, shown)
    t.match((await test.get('/Parcels', { include: 'lines' })).body, [{ lines: shown }])
    t.match((await test.get('/Parcels', { include: 'lines' })).body, [{ lines: { length: 1 } }])
    test.calls.length = 0
    t.strictSame((await test.get('/Parcels/1/lines/count')).body, { count: 1 })
    t.notOk(
      test.calls.some(({ model }) => model === 'Product'),
      'a count includes nothing'
    )
  }
)

void t.test('deletes all embedded records, those without an id too', async (t) => {
  const test = await start(t)
  await test.send('PATCH', '/Parcels/1', { _lines: [{ item: 'a' }, { id: null, item: 'b' }, { id: 3, item: 'c' }] })
  t.match((await test.get('/Parcels/1')).body, { _lines: { length: 3 } })
  t.equal((await test.send('DELETE', '/Parcels/1/lines')).status, 204)
  t.strictSame((await test.get('/Parcels/1/lines')).body, [])
})

void t.test('a record shows nothing that its embedded records hide', async (t) => {
  const test = await start(t)
  const made = await test.send('POST', '/Parcels', { addressData: { street: 'A', code: 'secret' } })
  t.match(made.body, { addressData: { street: 'A', code: undefined } })
  const [, second] = (await test.model('Parcel').find()) as readonly { toJSON: () => Record<string, unknown> }[]
  t.strictSame(second?.toJSON()['addressData'], { street: 'A' })
  const list = await test.get('/Parcels', { where: { id: 2 }, fields: ['addressData'] })
  t.strictSame(list.body, [{ addressData: { street: 'A' } }])
})

void t.test('embedded records have no pages by cursor, and say so', async (t) => {
  const test = await start(t)
  await test.send('POST', '/Parcels/1/lines', { item: 'nut' })
  for (const key of ['after', 'before'])
    t.equal(codeOf(await test.get('/Parcels/1/lines', { [key]: 'x' })), 'INVALID_CURSOR')
  t.equal((await test.get('/Parcels/1/lines', { limit: 1 })).status, 200)
})

void t.test('an embedded record that new ones have by default can be deleted', async (t) => {
  const properties = { street: { type: 'string', default: 'none' } } as const
  const test = await makeApp(t, [
    { name: 'Box', relations: { address: { type: 'embedsOne', model: 'Place', default: true } } },
    { name: 'Place', base: 'Model', public: false, properties }
  ])
  await test.send('POST', '/Boxes', {})
  t.match((await test.get('/Boxes/1/address')).body, { street: 'none' })
  t.equal((await test.send('DELETE', '/Boxes/1/address')).status, 204)
  t.equal(codeOf(await test.get('/Boxes/1/address')), 'MODEL_NOT_FOUND')
})
