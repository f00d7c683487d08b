import { DuplicateKey } from '@modelwire/core'
import { type SqlCase, openModels } from './sql-case.ts'

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
      const { registry } = await openModels(t, options, [price], { migrates: false })
      const { connector } = registry.dataSources.get('db') ?? {}
      await connector?.execute?.('drop table if exists sqlprice')
      const columns =
        'sku varchar(20) not null, region varchar(20) not null, amount integer, fee decimal(9, 2), primary key (sku, region)'
      await connector?.execute?.(`create table sqlprice (${columns})`)
      t.teardown(() => connector?.execute?.('drop table if exists sqlprice'))
      const Price = registry.get('sqlprice')
      for (const [sku, region, fee] of [
        ['a', 'eu', 1],
        ['a', 'us', 2],
        ['b', 'eu', 3]
      ] as const)
        t.match(await Price.create({ sku, region, amount: 1, fee }), { region, fee }, 'its own values')
      const several = { code: 'KEY_INCOMPLETE', statusCode: 409 }
      const a = await Price.findOne({ where: { sku: 'a', region: 'us' } })
      await t.rejects(Promise.resolve(a?.patchAttributes({ amount: 2 })), several, 'patch')
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
