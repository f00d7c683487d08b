import { DuplicateKey, type HookContext, type ModelDefinition, type ModelRegistry } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import type { Test } from 'tap'
import { type SqlCase, type TransactionTestsOptions, openModels } from './sql-case.ts'

const strict = {
  name: 'SqlStrict',
  properties: { id: { type: 'number', id: true, generated: true }, title: { type: 'string', required: true } }
}

const named = {
  name: 'sqlnamed',
  strict: true,
  properties: {
    id: { type: 'number', id: true, generated: true },
    code: { type: 'string', unique: true },
    shelf: 'number',
    place: 'number'
  }
} as const

const price = {
  name: 'sqlprice',
  strict: true,
  idInjection: false,
  properties: { sku: { type: 'string', id: true }, region: 'string', amount: 'number', fee: 'number' }
} as const

const keyedPrice = {
  ...price,
  properties: { sku: { type: 'string', id: 1 }, region: { type: 'string', id: 2 }, day: 'number', amount: 'number' }
} as const

/** Opens a table whose primary key is `sku` and `region`, under a model whose id is `sku`. */
async function openPrices(t: Test, options: TransactionTestsOptions, definition: ModelDefinition = price) {
  const { registry } = await openModels(t, options, [definition], { migrates: false })
  const { connector } = registry.dataSources.get('db') ?? {}
  await connector?.execute?.('drop table if exists sqlprice')
  const columns =
    'region varchar(20) not null, sku varchar(20) not null, amount integer, fee decimal(9, 2), primary key (sku, region)'
  await connector?.execute?.(`create table sqlprice (${columns})`)
  t.teardown(() => connector?.execute?.('drop table if exists sqlprice'))
  return { registry, connector, Price: registry.get('sqlprice') }
}

/** The same with 3 records of each of 4 `sku`s. */
async function openManyPrices(t: Test, options: TransactionTestsOptions, definition?: ModelDefinition) {
  const { connector, Price } = await openPrices(t, options, definition)
  for (const sku of ['b', 'a', 'd', 'c'])
    for (const region of ['us', 'eu', 'as'])
      await connector?.execute?.(`insert into sqlprice (sku, region, amount) values ('${sku}', '${region}', 1)`)
  return Price
}

type Prices = ReturnType<ModelRegistry['get']>

/** The same with a, eu, 1; a, us, 2 and b, eu, 3. */
async function openFewPrices(t: Test, options: TransactionTestsOptions): Promise<Prices> {
  const { Price } = await openPrices(t, options)
  for (const [sku, region, amount] of [
    ['a', 'eu', 1],
    ['a', 'us', 2],
    ['b', 'eu', 3]
  ] as const)
    await Price.create({ sku, region, amount })
  return Price
}

async function findPrice(Price: Prices, sku: string, region: string) {
  const found = await Price.findOne({ where: { sku, region } })
  if (found === null) throw new Error(`no price of ${sku} in ${region}`)
  return found
}

/** All records, each as its values. */
const allPrices = async (Price: Prices): Promise<readonly string[]> =>
  (await Price.find({ order: ['sku', 'region'] })).map(({ sku, region, amount }) => [sku, region, amount].join(' '))

const toUs = async ({ instance, data }: HookContext): Promise<void> => {
  Object.assign(instance ?? data ?? {}, { region: 'us' })
}

const cursorOf = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** The records of all pages of two, by cursors that hold the values of `names`. */
async function walkPrices(
  Price: Prices,
  filter: object | undefined,
  names: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const seen: Readonly<Record<string, unknown>>[] = []
  let place: object | undefined
  do {
    const page = await Price.find({ limit: 2, ...filter, ...(place && { after: cursorOf(place) }) })
    seen.push(...page)
    const last = page.at(-1)
    place = last && Object.fromEntries(names.map((name) => [name, last[name]]))
  } while (place !== undefined)
  return seen
}

/** What callers are reported when something is wrong. */
export const faultCases: readonly SqlCase[] = [
  {
    name: 'an error names the property whose value exists already',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      await collection?.insert([{ isbn: '1' }])
      const again = async (): Promise<unknown> => collection?.insert([{ isbn: '1' }])
      await t.rejects(again, { code: 'DUPLICATE_KEY', statusCode: 409, property: 'isbn', value: '1' })
      const sameId = async (): Promise<unknown> => collection?.insert([{ id: 1 }])
      await t.rejects(sameId, { code: 'DUPLICATE_KEY', property: 'id', value: 1 })
    }
  },
  {
    name: 'an index that no model declares is told by its own name, whatever that ends with',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [named])
      await registry.dataSources.get('db')?.connector.execute?.('create unique index x_code on sqlnamed (shelf, place)')
      const { collection } = registry.typeOf('sqlnamed')
      await collection?.insert([{ code: 'a', shelf: 1, place: 2 }])
      const again = async (): Promise<unknown> => collection?.insert([{ code: 'b', shelf: 1, place: 2 }])
      const error: unknown = await again().catch((thrown: unknown) => thrown)
      t.match(error, { code: 'DUPLICATE_KEY', statusCode: 409, value: undefined })
      if (!(error instanceof DuplicateKey)) return
      const { index, properties } = error.details
      // SQLite names the columns alone, MySQL the index.
      t.ok(index === undefined || index === 'x_code')
      t.ok(properties.length === 0 || String(properties) === 'shelf,place')
      t.ok(index !== undefined || properties.length > 0)
    }
  },
  {
    name: 'a column that must not be null refuses it with a code',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [strict])
      const { collection } = registry.typeOf('SqlStrict')
      const insert = async (): Promise<unknown> => collection?.insert([{ title: null }])
      await t.rejects(insert, { code: 'CONSTRAINT_VIOLATED', statusCode: 422 })
    }
  },
  {
    name: 'a write by an id that is a part of the primary key changes one record or none',
    run: async (t, options) => {
      const { registry, connector, Price } = await openPrices(t, options)
      for (const [sku, region, fee] of [
        ['a', 'eu', 1],
        ['a', 'us', 2],
        ['b', 'eu', 3]
      ] as const)
        t.match(await Price.create({ sku, region, amount: 1, fee }), { region, fee }, 'its own values')
      const several = { code: 'KEY_INCOMPLETE', statusCode: 409 }
      await t.rejects(Price.findById('a'), several, 'read')
      await t.rejects(Price.findById('a', { fields: ['amount'] }), several, 'read of some properties')
      await t.rejects(Price.replaceById('a', { region: 'us', amount: 2 }), several, 'replace')
      await t.rejects(Price.upsert({ sku: 'a', region: 'us', amount: 2 }), several, 'upsert')
      await t.rejects(Price.destroyById('a'), several, 'destroy')
      t.match(await Price.find({ order: ['sku', 'region'] }), [{ amount: 1 }, { amount: 1 }, { amount: 1 }])
      await Price.updateAll({ sku: 'a', region: 'us' }, { amount: 3 })
      await Price.upsert({ sku: 'b', region: 'eu', amount: 4 })
      await Price.upsert({ sku: 'c', region: 'eu', amount: 5 })
      const amounts = (await Price.find({ order: ['sku', 'region'] })).map(({ amount }) => amount)
      t.same(amounts, [1, 3, 4, 5])
      await Price.destroyById('c')
      await Price.destroyAll({ sku: 'a', region: 'eu' })
      t.equal(await Price.count(), 2)
      const facts = await connector?.examine?.([registry.typeOf('sqlprice')])
      t.match(
        facts?.filter(({ reason }) => reason.includes('also has region')),
        [{ property: 'sku', effect: 'differs' }]
      )
    }
  },
  {
    name: 'an id of several properties that is a part of the primary key changes one record or none',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [keyedPrice], { migrates: false })
      const { connector } = registry.dataSources.get('db') ?? {}
      await connector?.execute?.('drop table if exists sqlprice')
      const columns = 'sku varchar(20) not null, region varchar(20) not null, day integer not null, amount integer'
      await connector?.execute?.(`create table sqlprice (${columns}, primary key (sku, region, day))`)
      t.teardown(() => connector?.execute?.('drop table if exists sqlprice'))
      const Price = registry.get('sqlprice')
      for (const day of [1, 2]) await Price.create({ sku: 'a', region: 'eu', day, amount: 1 })
      await Price.create({ sku: 'a', region: 'us', day: 1, amount: 1 })
      const several = { code: 'KEY_INCOMPLETE', statusCode: 409 }
      await t.rejects(Price.findById('a,eu'), several, 'read')
      await t.rejects(Price.replaceById('a,eu', { day: 1, amount: 2 }), several, 'replace')
      await t.rejects(Price.upsert({ sku: 'a', region: 'eu', day: 1, amount: 2 }), several, 'upsert')
      await t.rejects(Price.destroyById('a,eu'), several, 'destroy')
      await Price.upsert({ sku: 'a', region: 'us', day: 1, amount: 3 })
      const one = await Price.findOne({ where: { sku: 'a', region: 'eu', day: 2 } })
      await one?.patchAttributes({ amount: 4 })
      const amounts = (await Price.find()).map(({ amount }) => amount)
      t.same(amounts, [1, 4, 3])
    }
  },
  {
    name: 'a record whose id others have, too, is changed by itself',
    run: async (t, options) => {
      const Price = await openManyPrices(t, options)
      const amounts = async (): Promise<string> =>
        (await Price.find({ where: { sku: 'a' }, order: 'region' })).map(({ amount }) => String(amount)).join()
      const us = await Price.findOne({ where: { sku: 'a', region: 'us' } })
      await us?.patchAttributes({ amount: 2 })
      t.equal(await amounts(), '1,1,2', 'patch')
      await us?.replaceAttributes({ amount: 3 })
      t.equal(await amounts(), '1,1,3', 'replace')
      await us?.updateAttribute('amount', 4)
      t.equal(await amounts(), '1,1,4', 'one property')
      if (us) us['amount'] = 5
      await us?.save()
      t.equal(await amounts(), '1,1,5', 'save')
      await Price.upsertWithWhere({ sku: 'a', region: 'eu' }, { sku: 'a', region: 'eu', amount: 6 })
      t.equal(await amounts(), '1,6,5', 'upsert of what matches')
      await us?.destroy()
      t.equal(await amounts(), '1,6', 'delete')
      t.equal(await Price.count(), 11)
    }
  },
  {
    name: 'a record whose key has changed since it was read changes itself, or nothing',
    run: async (t, options) => {
      const Price = await openFewPrices(t, options)
      const taken = { code: 'DUPLICATE_KEY', statusCode: 409 }
      const one = await findPrice(Price, 'a', 'eu')
      one['region'] = 'us'
      await t.rejects(one.save(), taken, 'save over another one')
      await t.rejects(one.replaceAttributes({ region: 'us', amount: 9 }), taken, 'replace another one')
      await t.rejects(one.patchAttributes({ region: 'us' }), taken, 'patch into another one')
      t.same(await allPrices(Price), ['a eu 1', 'a us 2', 'b eu 3'])
      one['region'] = 'us'
      await one.patchAttributes({ amount: 4 })
      t.same(await allPrices(Price), ['a eu 4', 'a us 2', 'b eu 3'], 'patch')
      one['region'] = 'us'
      await one.destroy()
      t.same(await allPrices(Price), ['a us 2', 'b eu 3'], 'delete')
    }
  },
  {
    name: 'a record whose key a write has changed goes on by its new key',
    run: async (t, options) => {
      const Price = await openFewPrices(t, options)
      await Price.create({ sku: 'b', region: 'us', amount: 5 })
      const moving = await findPrice(Price, 'b', 'eu')
      moving['region'] = 'as'
      await moving.save()
      t.same(await allPrices(Price), ['a eu 1', 'a us 2', 'b as 3', 'b us 5'], 'save')
      await moving.patchAttributes({ region: 'af' })
      await moving.replaceAttributes({ region: 'au', amount: 6 })
      await moving.updateAttribute('amount', 7)
      t.same(await allPrices(Price), ['a eu 1', 'a us 2', 'b au 7', 'b us 5'], 'patch and replace')
      await moving.destroy()
      const made = await Price.create({ sku: 'b', region: 'eu', amount: 8 })
      t.ok(made instanceof Price)
      if (made instanceof Price) await made.updateAttribute('region', 'ca')
      t.same(await allPrices(Price), ['a eu 1', 'a us 2', 'b ca 8', 'b us 5'], 'of a new record')
    }
  },
  {
    name: 'observers that change the key of a record, or how it is shown, lead to no other one',
    run: async (t, options) => {
      const Price = await openFewPrices(t, options)
      Price.observe('before save', toUs)
      const one = await findPrice(Price, 'a', 'eu')
      await t.rejects(one.save(), { code: 'DUPLICATE_KEY' })
      Price.removeObserver('before save', toUs)
      Price.observe('loaded', toUs)
      const [shown] = await Price.find({ where: { sku: 'a', region: 'eu' } })
      Price.clearObservers('loaded')
      t.equal(shown?.['region'], 'us')
      await shown?.patchAttributes({ amount: 4 })
      t.same(await allPrices(Price), ['a eu 4', 'a us 2', 'b eu 3'])
    }
  },
  {
    name: 'a record that was read without the rest of its key changes no other one',
    run: async (t, options) => {
      const Price = await openFewPrices(t, options)
      const several = { code: 'KEY_INCOMPLETE', statusCode: 409 }
      const fields = ['sku', 'amount']
      const part = await Price.findOne({ where: { sku: 'a', region: 'eu' }, fields })
      Object.assign(part ?? {}, { region: 'us', amount: 9 })
      await t.rejects(Promise.resolve(part?.save()), several, 'save')
      await t.rejects(Promise.resolve(part?.destroy()), several, 'delete')
      const only = await Price.findOne({ where: { sku: 'b' }, fields })
      await only?.updateAttribute('amount', 4)
      t.same(await allPrices(Price), ['a eu 1', 'a us 2', 'b eu 4'], 'one whose id no other one has')
    }
  },
  {
    name: 'pages by cursor show each record of a table whose primary key has more columns than the id',
    run: async (t, options) => {
      const Price = await openManyPrices(t, options)
      const all = ['a', 'b', 'c', 'd'].flatMap((sku) => ['as', 'eu', 'us'].map((region) => `${sku} ${region}`))
      for (const [order, names] of [
        [undefined, ['sku', 'region']],
        ['amount', ['amount', 'sku', 'region']],
        ['sku', ['sku', 'region']]
      ] as const) {
        const seen = await walkPrices(Price, order && { order }, names)
        t.same(
          seen.map((row) => `${String(row['sku'])} ${String(row['region'])}`),
          all,
          order ?? 'no order'
        )
      }
      const before = await Price.find({ limit: 2, before: cursorOf({ sku: 'b', region: 'eu' }) })
      t.match(before, [
        { sku: 'a', region: 'us' },
        { sku: 'b', region: 'as' }
      ])
      const descending = { order: 'region DESC', limit: 1, after: cursorOf({ region: 'us', sku: 'c' }) }
      t.match(await Price.find(descending), [{ sku: 'd', region: 'us' }])
    }
  },
  {
    name: 'a page by cursor that would end within records of one id is refused where the model lacks the rest of the key',
    run: async (t, options) => {
      const { region: _region, ...properties } = price.properties
      const Price = await openManyPrices(t, options, { ...price, properties })
      const ambiguous = { code: 'CURSOR_AMBIGUOUS', statusCode: 409 }
      const after = cursorOf({ sku: 'a' })
      await t.rejects(Price.find({ limit: 2, after }), ambiguous)
      t.match(await Price.find({ limit: 3, after }), [{ sku: 'b' }, { sku: 'b' }, { sku: 'b' }])
      t.equal((await Price.find({ limit: 2, skip: 4 })).length, 2)
    }
  },
  {
    name: 'a page that begins within records of one id has no cursor of its start',
    run: async (t, options) => {
      const { region: _region, ...properties } = price.properties
      const Price = await openManyPrices(t, options, { ...price, properties })
      const cursors = async (filter: object): Promise<unknown> => {
        const page: ReturnType<typeof serverCall>['page'] = { total: false, cursors: true }
        const found = await repository.find(Price.modelType, filter, { ...serverCall(), page })
        return { skus: found.map(({ sku }) => sku).join(''), next: page?.facts?.next, previous: page?.facts?.previous }
      }
      const [b, c] = [cursorOf({ sku: 'b' }), cursorOf({ sku: 'c' })]
      t.same(await cursors({ limit: 2, skip: 4 }), { skus: 'bb', next: b, previous: undefined })
      t.same(await cursors({ limit: 3, skip: 3 }), { skus: 'bbb', next: b, previous: b })
      const before = cursorOf({ sku: 'd' })
      t.same(await cursors({ limit: 2, skip: 1, before }), { skus: 'cc', next: undefined, previous: c })
      t.same(await cursors({ limit: 3, before }), { skus: 'ccc', next: c, previous: c })
    }
  },
  {
    name: 'a table that is missing is told as such',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      registry.define({ name: 'SqlNowhere' })
      registry.attach('SqlNowhere', 'db')
      await t.rejects(registry.get('SqlNowhere').find(), { code: 'DATABASE_SCHEMA_MISSING', statusCode: 500 })
    }
  },
  {
    name: 'a client that leaves is not waited for, and one that has left asks nothing',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      const everything = { order: [], skip: 0 }
      const left = { signal: AbortSignal.abort() }
      const cancelled = { code: 'STATEMENT_CANCELLED', statusCode: 499 }
      await t.rejects(async () => collection?.find(everything, left), cancelled)
      await t.rejects(async () => collection?.findById(1, left), cancelled)
      await t.rejects(async () => collection?.count(undefined, left), cancelled)
      t.strictSame(statements, [])
      const leaving = new AbortController()
      const end = t.rejects(async () => collection?.find(everything, leaving), cancelled)
      leaving.abort()
      await end
      t.equal(await collection?.count(undefined), 0)
    }
  },
  {
    name: 'after the end no statement is run, and a new start opens the database again',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      await registry.disconnect()
      await t.rejects(registry.get('SqlBook').find(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
      await registry.connect()
      await registry.dataSources.get('db')?.connector.ping()
    }
  }
]
