import type { DataProvider } from 'ra-core'
import t from 'tap'
import { modelwireDataProvider } from '#src/index.ts'
import { openShop } from './open-api.ts'

const byPrice = { field: 'price', order: 'DESC' } as const

const pageOf = (provider: DataProvider, page: number, more: object = {}) =>
  provider.getList('Products', { pagination: { page, perPage: 2 }, sort: byPrice, filter: {}, ...more })

const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

t.test('a list has its page in its order, the total, and whether there is more', async (t) => {
  const { provider } = await openShop(t)
  const first = await pageOf(provider, 1)
  t.strictSame(namesOf(first), ['A9', 'A8'])
  t.strictSame(first.total, 9)
  t.strictSame(first.pageInfo, { hasNextPage: true, hasPreviousPage: false })
})

t.test('neighbouring pages are read by cursor, others by skip', async (t) => {
  const { provider, seen } = await openShop(t)
  const names = []
  for (const page of [1, 2, 3, 2, 5, 4]) names.push(namesOf(await pageOf(provider, page)).join())
  t.strictSame(names, ['A9,A8', 'A7,A6', 'A5,A4', 'A7,A6', 'A1', 'A3,A2'])
  const ways = seen.map(({ filter }) =>
    Object.keys(Object(filter))
      .filter((key) => ['after', 'before', 'skip'].includes(key))
      .join()
  )
  t.strictSame(ways, ['', 'after', 'after', 'before', 'skip', 'before'])
  t.match(seen.at(0)?.headers, { prefer: 'count=exact, links', accept: 'application/json' })
})

t.test('a page that is read again is the same one, and a deleted record shifts nothing', async (t) => {
  const { provider, app } = await openShop(t)
  await pageOf(provider, 1)
  t.strictSame(namesOf(await pageOf(provider, 2)), ['A7', 'A6'])
  await app.models.get('Product').destroyAll({ name: 'A9' })
  t.strictSame(namesOf(await pageOf(provider, 2)), ['A7', 'A6'])
  t.strictSame(namesOf(await pageOf(provider, 3)), ['A5', 'A4'])
})

t.test('the first page is read from the beginning, also when the user comes back to it', async (t) => {
  const { provider, app } = await openShop(t)
  await pageOf(provider, 1)
  await pageOf(provider, 2)
  await app.models.get('Product').create({ name: 'New', price: 10 })
  t.strictSame(namesOf(await pageOf(provider, 1)), ['New', 'A9'])
})

t.test('another order, filter or size of pages is another list', async (t) => {
  const { provider, seen } = await openShop(t)
  await pageOf(provider, 1)
  await pageOf(provider, 2, { sort: { field: 'price', order: 'ASC' } })
  await pageOf(provider, 2, { filter: { price_gte: 2 } })
  await pageOf(provider, 2, { pagination: { page: 2, perPage: 3 } })
  t.match(
    seen.slice(1).map(({ filter }) => filter),
    [{ skip: 2 }, { skip: 2 }, { skip: 3 }]
  )
})

t.test('the last page knows that it is the last', async (t) => {
  const { provider } = await openShop(t)
  t.strictSame((await pageOf(provider, 5)).pageInfo, { hasNextPage: false, hasPreviousPage: true })
})

t.test('a list whose order has no cursors is read by skip', async (t) => {
  const { provider, seen } = await openShop(t)
  const sort = { field: 'tags', order: 'ASC' } as const
  const first = await pageOf(provider, 1, { sort })
  t.strictSame([first.total, first.pageInfo], [9, undefined])
  await pageOf(provider, 2, { sort })
  t.match(seen.at(-1)?.filter, { skip: 2 })
})

t.test('a cursor that the server refuses gives way to skip', async (t) => {
  const { provider, fetch } = await openShop(t)
  const spoiled = modelwireDataProvider('/api', {
    fetch: (url, init) => fetch(url.replace(/%22after%22%3A%22\w/, '%22after%22%3A%22!'), init)
  })
  await pageOf(spoiled, 1)
  t.strictSame(namesOf(await pageOf(spoiled, 2)), namesOf(await pageOf(provider, 2)))
})

t.test('without a count a list tells whether there is a next page, and nothing else', async (t) => {
  const { provider, seen } = await openShop(t, { resources: { Products: { count: false } } })
  const first = await pageOf(provider, 1)
  t.strictSame([first.total, first.pageInfo], [undefined, { hasNextPage: true, hasPreviousPage: false }])
  t.equal(seen[0]?.headers['prefer'], 'links')
  t.strictSame((await pageOf(provider, 5)).pageInfo, { hasNextPage: false, hasPreviousPage: true })
  const unlinked = await pageOf(provider, 5, { sort: { field: 'tags', order: 'ASC' } })
  t.strictSame(unlinked.pageInfo, { hasNextPage: false, hasPreviousPage: true })
})

t.test('a server that knows no preferences, such as LoopBack, is asked to count', async (t) => {
  const { fetch } = await openShop(t)
  const provider = modelwireDataProvider('/api', {
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      headers.delete('prefer')
      return fetch(url, { ...init, headers })
    }
  })
  const { data, total, pageInfo } = await pageOf(provider, 2, { filter: { price_lte: 3 } })
  t.strictSame([namesOf({ data }), total, pageInfo], [['A1'], 3, undefined])
  t.equal((await pageOf(provider, 1)).total, 9)
})

t.test('the key of a resource may have another name', async (t) => {
  const { provider, app, seen } = await openShop(t, { resources: { Parts: { idProperty: 'code' } } })
  await app.models.get('Part').create([
    { code: 'b', weight: 1 },
    { code: 'a', weight: 2 }
  ])
  const list = await provider.getList('Parts', { sort: { field: 'id', order: 'ASC' } })
  t.strictSame(list.data, [
    { code: 'a', weight: 2, id: 'a' },
    { code: 'b', weight: 1, id: 'b' }
  ])
  t.strictSame(seen.at(-1)?.filter, { order: ['code ASC'] })
  const filtered = await provider.getList('Parts', { filter: { id: ['b'] } })
  t.strictSame(filtered.data, [{ code: 'b', weight: 1, id: 'b' }])
})

t.test('references from other records are a list with one more condition', async (t) => {
  const { provider, app, seen } = await openShop(t)
  await app.models.get('Product').create([1, 2, 3].map((price) => ({ name: `B${price}`, price, supplier: 'x' })))
  const read = (filter: object, page: number) =>
    provider.getManyReference('Products', {
      target: 'supplier',
      id: 'x',
      filter,
      sort: byPrice,
      pagination: { page, perPage: 2 }
    })
  const first = await read({}, 1)
  t.strictSame([namesOf(first), first.total], [['B3', 'B2'], 3])
  t.strictSame(namesOf(await read({}, 2)), ['B1'])
  t.match(seen.at(-1)?.filter, { after: String })
  t.strictSame(namesOf(await read({ price_lt: 3 }, 1)), ['B2', 'B1'])
})

t.test('meta names what to include and which fields to send', async (t) => {
  const { provider } = await openShop(t)
  const { data } = await pageOf(provider, 1, { meta: { fields: ['id', 'name'] } })
  t.strictSame(data, [
    { id: 9, name: 'A9' },
    { id: 8, name: 'A8' }
  ])
  t.strictSame((await provider.getOne('Products', { id: 1, meta: { fields: ['id'] } })).data, { id: 1 })
  const included = provider.getOne('Products', { id: 1, meta: { include: 'maker' } })
  await t.rejects(included, { name: 'HttpError', status: 400 })
})

t.test('the lists that were read longest ago are forgotten', async (t) => {
  const { provider, seen } = await openShop(t)
  await pageOf(provider, 1)
  for (let price = 0; price < 50; price += 1) await pageOf(provider, 1, { filter: { price_gt: price } })
  await pageOf(provider, 2)
  t.match(seen.at(-1)?.filter, { skip: 2 })
})
