import t from 'tap'
import { openShop } from './open-api.ts'

t.test('a record is read by its id, and encoded where it needs to be', async (t) => {
  const { provider, app } = await openShop(t, { resources: { Parts: { idProperty: 'code' } } })
  t.match((await provider.getOne('Products', { id: 3 })).data, { id: 3, name: 'A3', version: String })
  await app.models.get('Part').create({ code: 'a/b?', weight: 1 })
  t.strictSame((await provider.getOne('Parts', { id: 'a/b?' })).data, { id: 'a/b?', code: 'a/b?', weight: 1 })
})

t.test('many records are read by their ids, in portions, whatever the usual size of lists', async (t) => {
  const { provider, app, seen } = await openShop(t)
  await app.models.get('Product').create(Array.from({ length: 200 }, () => ({ name: 'More', price: 1 })))
  const ids = Array.from({ length: 205 }, (_, at) => at + 1)
  const { data } = await provider.getMany('Products', { ids })
  t.strictSame(
    data.map(({ id }) => id),
    ids
  )
  t.strictSame(
    seen.map(({ filter }) => Object(filter).limit),
    [100, 100, 5]
  )
  t.strictSame((await provider.getMany('Products', { ids: [] })).data, [])
})

t.test('a new record is sent as it is, and comes back with its id', async (t) => {
  const { provider, seen } = await openShop(t, { resources: { Parts: { idProperty: 'code' } } })
  t.match((await provider.create('Products', { data: { name: 'New', price: 2 } })).data, { id: 10, name: 'New' })
  const { data } = await provider.create('Parts', { data: { id: 'nothing', code: 'x', weight: 1 } })
  t.strictSame(data, { id: 'x', code: 'x', weight: 1 })
  t.strictSame(seen.at(-1)?.body, { code: 'x', weight: 1 })
})

t.test('an update sends what was changed, for the version that was read', async (t) => {
  const { provider, seen } = await openShop(t)
  const { data: previousData } = await provider.getOne('Products', { id: 1 })
  const data = { ...previousData, price: 5, tags: undefined }
  const updated = await provider.update('Products', { id: 1, data, previousData })
  t.match(updated.data, { id: 1, name: 'A1', price: 5 })
  t.not(updated.data.version, previousData.version)
  t.match(seen.at(-1), { method: 'PATCH', body: { price: 5 }, headers: { 'if-match': `"${previousData.version}"` } })
  t.strictSame(seen.at(-1)?.body, { price: 5 })
})

t.test('an update without the record as it was sends everything but the id, for any version', async (t) => {
  const { provider, seen } = await openShop(t, { resources: { Parts: { idProperty: 'code' } } })
  const change = { id: 1, data: { id: 1, name: 'B1', price: 5 }, previousData: undefined }
  t.match((await provider.update('Products', change)).data, { id: 1, name: 'B1', price: 5 })
  t.strictSame(seen.at(-1)?.body, { name: 'B1', price: 5 })
  t.equal(seen.at(-1)?.headers['if-match'], undefined)
  await provider.create('Parts', { data: { code: 'x', weight: 1 } })
  const data = { id: 'x', code: 'x', weight: 2 }
  t.strictSame((await provider.update('Parts', { ...change, id: 'x', data })).data, { id: 'x', code: 'x', weight: 2 })
  t.strictSame(seen.at(-1)?.body, { weight: 2 })
})

t.test('an update that lost a race is refused, and says so', async (t) => {
  const { provider, app } = await openShop(t)
  const { data: previousData } = await provider.getOne('Products', { id: 1 })
  await app.models.get('Product').updateAll({ id: 1 }, { price: 7 })
  const update = provider.update('Products', { id: 1, data: { ...previousData, price: 8 }, previousData })
  await t.rejects(update, { name: 'HttpError', status: 412, message: /^Someone else has changed this record/ })
  await t.rejects(update, { name: 'HttpError', body: { code: 'PRECONDITION_FAILED' } })
  t.equal((await provider.getOne('Products', { id: 1 })).data.price, 7)
})

t.test('the message of a lost race is an option', async (t) => {
  const { provider, app } = await openShop(t, { conflictMessage: 'shop.conflict' })
  const { data: previousData } = await provider.getOne('Products', { id: 1 })
  await app.models.get('Product').updateAll({ id: 1 }, { price: 7 })
  await t.rejects(provider.delete('Products', { id: 1, previousData }), {
    name: 'HttpError',
    status: 412,
    message: 'shop.conflict'
  })
})

t.test('a version has the name that the resource says, or none', async (t) => {
  const { provider, app } = await openShop(t, { resources: { Guarded: { versionProperty: 'revision' } } })
  await app.models.get('Guarded').create([{ text: 'a' }, { text: 'b' }])
  const { data: previousData } = await provider.getOne('Guarded', { id: 1 })
  const change = { id: 1, data: { ...previousData, text: 'c' }, previousData }
  t.match((await provider.update('Guarded', change)).data, { text: 'c' })
  await t.rejects(provider.update('Guarded', change), { name: 'HttpError', status: 412 })
  const unversioned = await openShop(t, { resources: { Products: { versionProperty: false } } })
  const { data } = await unversioned.provider.getOne('Products', { id: 1 })
  await unversioned.provider.update('Products', { id: 1, data, previousData: data })
  t.equal(unversioned.seen.at(-1)?.headers['if-match'], undefined)
})

t.test('what cannot be an entity tag is no version', async (t) => {
  const { provider, seen } = await openShop(t)
  for (const version of [7, '', 'has a "quote"', null]) {
    await provider.update('Products', { id: 1, data: {}, previousData: { id: 1, version } })
    t.equal(seen.at(-1)?.headers['if-match'], undefined)
  }
})

t.test('a deletion is for the version that was read', async (t) => {
  const { provider, app } = await openShop(t)
  const { data: previousData } = await provider.getOne('Products', { id: 1 })
  await app.models.get('Product').updateAll({ id: 1 }, { price: 7 })
  await t.rejects(provider.delete('Products', { id: 1, previousData }), { name: 'HttpError', status: 412 })
  const { data: read } = await provider.getOne('Products', { id: 1 })
  t.strictSame((await provider.delete('Products', { id: 1, previousData: read })).data, read)
  await t.rejects(provider.getOne('Products', { id: 1 }), { name: 'HttpError', status: 404 })
  t.strictSame((await provider.delete('Products', { id: 2 })).data, { id: 2 })
})

t.test('several records are changed and deleted whatever their versions', async (t) => {
  const { provider, app } = await openShop(t, { resources: { Guarded: { versionProperty: 'revision' } } })
  await app.models.get('Guarded').create([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  t.strictSame((await provider.updateMany('Guarded', { ids: [1, 2], data: { text: 'x' } })).data, [1, 2])
  t.match((await provider.getList('Guarded', {})).data, [{ text: 'x' }, { text: 'x' }, { text: 'c' }])
  t.strictSame((await provider.deleteMany('Guarded', { ids: [1, 3] })).data, [1, 3])
  t.match((await provider.getList('Guarded', {})).data, [{ id: 2 }])
})

t.test('when one of several changes fails, the others are made, and the error is told', async (t) => {
  const { provider } = await openShop(t)
  await t.rejects(provider.updateMany('Products', { ids: [1, 99, 2], data: { price: 0 } }), {
    name: 'HttpError',
    status: 404
  })
  const { data } = await provider.getMany('Products', { ids: [1, 2, 3] })
  t.match(data, [{ price: 0 }, { price: 0 }, { price: 3 }])
})

t.test('a record that several properties identify has the text of all of them as its id', async (t) => {
  const { provider, app } = await openShop(t, { resources: { Prices: { idProperty: ['shop', 'region'] } } })
  const a = await provider.create('Prices', { data: { shop: 'a,b', region: 'x/y', amount: 1 } })
  t.match(a.data, { id: 'a%2Cb,x%2Fy', shop: 'a,b' })
  await provider.create('Prices', { data: { shop: 'b', region: 'x', amount: 2 } })
  const { id } = a.data
  t.match((await provider.getOne('Prices', { id })).data, { amount: 1, id })
  t.match((await provider.getMany('Prices', { ids: [id, 'b,x', 'c,x'] })).data, [{ amount: 1 }, { amount: 2 }])
  const previousData = a.data
  const update = { id, data: { ...previousData, amount: 3 }, previousData }
  t.match((await provider.update('Prices', update)).data, { id, amount: 3 })
  const page = { pagination: { page: 1, perPage: 10 }, sort: { field: 'id', order: 'DESC' as const }, filter: {} }
  t.match((await provider.getList('Prices', page)).data, [{ id: 'b,x' }, { id }])
  await provider.delete('Prices', { id, previousData })
  t.equal(await app.models.get('Price').count(), 1)
})
