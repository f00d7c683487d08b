import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Test } from 'tap'
import { openModels, type TransactionCase, type TransactionTestsOptions } from './sql-case.ts'

/** Two properties identify a record, a string and a number. */
const price: ModelDefinition = {
  name: 'SqlKeyedPrice',
  strict: true,
  properties: {
    amount: 'number',
    region: { type: 'number', id: 2 },
    shop: { type: 'string', id: 1 },
    note: { type: 'string', default: 'none' }
  }
}

type Prices = ReturnType<ModelRegistry['get']>

async function openPrices(t: Test, options: TransactionTestsOptions): Promise<Prices> {
  const { registry } = await openModels(t, options, [price])
  const Price = registry.get(price.name)
  for (const [shop, region, amount] of [
    ['b', 1, 4],
    ['a', 10, 2],
    ['a', 9, 1],
    ['a,b', 1, 3]
  ] as const)
    await Price.create({ shop, region, amount })
  return Price
}

const all = async (Price: Prices): Promise<string> =>
  (await Price.find()).map((row) => `${String(row.getId())}=${String(row['amount'])}`).join(' ')

/** Ids of several properties: every record is found and changed by all of them, and by nothing less. */
export const compositeIdCases: readonly TransactionCase[] = [
  {
    name: 'an id of several properties reads one record, as a text or as an object',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      t.equal(await all(Price), 'a,9=1 a,10=2 a%2Cb,1=3 b,1=4', 'in the order of the parts')
      t.match(await Price.findById('a,10'), { shop: 'a', region: 10, amount: 2 })
      t.match(await Price.findById({ region: 10, shop: 'a' }), { amount: 2 })
      t.match(await Price.findById('a%2Cb,1', { fields: ['amount'] }), { amount: 3 })
      t.equal(await Price.exists('a,9'), true)
      t.equal(await Price.exists({ shop: 'a', region: 8 }), false)
      for (const none of ['a', 'a,', ',9', 'a,9,1', 'a,x', '%,9', 'a,%209'])
        t.equal(await Price.findById(none), null, none)
      const invalid = { code: 'INVALID_ARGUMENT', statusCode: 400 }
      await t.rejects(Price.findById({ shop: 'a' }), invalid, 'a part is missing')
      await t.rejects(Price.findById({ shop: 'a', region: null }), invalid, 'a part is null')
      await t.rejects(Price.findById({ shop: 'a', region: 9, amount: 1 }), invalid, 'more than the id')
      t.equal(await Price.findById({ shop: { neq: 'x' }, region: 9 }), null, 'an operator is no part')
    }
  },
  {
    name: 'an id of several properties changes one record',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      t.match(await Price.replaceById('a,9', { amount: 5 }), { shop: 'a', region: 9, amount: 5, note: 'none' })
      const one = await Price.findById({ shop: 'a', region: 10 })
      await one?.patchAttributes({ amount: 6 })
      await one?.replaceAttributes({ amount: 7 })
      t.equal(await all(Price), 'a,9=5 a,10=7 a%2Cb,1=3 b,1=4')
      if (one) one['amount'] = 8
      await one?.save()
      t.equal(await Price.deleteById('a%2Cb,1').then(({ count }) => count), 1)
      t.equal((await Price.deleteById('a%2Cb,2')).count, 0)
      t.equal(await all(Price), 'a,9=5 a,10=8 b,1=4')
      await one?.destroy()
      t.equal(await all(Price), 'a,9=5 b,1=4')
      await t.rejects(Price.replaceById('a,8', { amount: 1 }), { code: 'RECORD_NOT_FOUND', statusCode: 404 })
    }
  },
  {
    name: 'a part of an id cannot be changed',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      const before = await all(Price)
      const mismatch = { code: 'ID_MISMATCH' }
      const one = await Price.findById('a,9')
      t.ok(one)
      if (one === null) return
      await t.rejects(one.patchAttributes({ region: 11 }), mismatch)
      await t.rejects(one.patchAttributes({ shop: null }), mismatch)
      await t.rejects(one.replaceAttributes({ region: 10, amount: 9 }), mismatch)
      await t.rejects(Price.replaceById('a,9', { shop: 'b', amount: 9 }), mismatch)
      one['region'] = 10
      await t.rejects(one.save(), mismatch)
      t.equal(await all(Price), before)
      t.match(await one.reload(), { region: 9 }, 'it is read by the id that it is stored with')
      await one.patchAttributes({ amount: 6, shop: 'a', region: '9' })
      await Price.updateAll({ shop: 'b' }, { region: 2, amount: 5 })
      t.equal(await all(Price), 'a,9=6 a,10=2 a%2Cb,1=3 b,1=5', 'no other record, and the id stays')
      one['region'] = 10
      await one.destroy()
      t.equal(await all(Price), 'a,10=2 a%2Cb,1=3 b,1=5', 'it deletes itself')
    }
  },
  {
    name: 'upserts by an id of several properties',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      await Price.upsert({ shop: 'a', region: 9, amount: 5 })
      await Price.upsert({ shop: 'c', region: 9, amount: 6 })
      await Price.replaceOrCreate({ shop: 'a', region: 10, amount: 7 })
      await Price.replaceOrCreate({ shop: 'c', region: 10, amount: 8 })
      await Price.upsertWithWhere({ shop: 'b', region: 1 }, { shop: 'b', region: 1, amount: 9 })
      t.equal(await all(Price), 'a,9=5 a,10=7 a%2Cb,1=3 b,1=9 c,9=6 c,10=8')
      const [found, isNew] = await Price.findOrCreate({ where: { shop: 'a', region: 9 } }, { shop: 'a', region: 9 })
      t.match([found['amount'], isNew], [5, false])
      await t.rejects(
        Price.upsert({ shop: 'a', amount: 1 }),
        { code: 'VALIDATION_FAILED', statusCode: 422 },
        'a part is missing'
      )
      await t.rejects(
        Price.create({ shop: '', region: 1 }),
        { code: 'VALIDATION_FAILED', statusCode: 422 },
        'a part is empty'
      )
      const taken = { code: 'DUPLICATE_KEY', statusCode: 409 }
      await t.rejects(Price.create({ shop: 'a', region: 9 }), taken)
      await t.rejects(
        Price.create([
          { shop: 'd', region: 1 },
          { shop: 'd', region: 1 }
        ]),
        taken
      )
      t.equal(await Price.count(), 6)
    }
  },
  {
    name: 'pages by cursor and conditions on whole ids',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      const found = await Price.find({ where: { 'shop,region': { inq: ['a,10', 'b,1', 'b,2', 'b'] } } })
      t.same(
        found.map((row) => row.getId()),
        ['a,10', 'b,1']
      )
      const cursor = Buffer.from(JSON.stringify({ shop: 'a', region: 9 })).toString('base64url')
      const page = await Price.find({ after: cursor, limit: 2 })
      t.same(
        page.map((row) => row.getId()),
        ['a,10', 'a%2Cb,1']
      )
    }
  },
  {
    name: 'conditions on more whole ids than an expression has levels',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      const others = Array.from({ length: 1500 }, (_, at) => `none${at},1`)
      const found = await Price.find({ where: { 'shop,region': { inq: ['a,10', ...others, 'b,1'] } } })
      t.same(
        found.map((row) => row.getId()),
        ['a,10', 'b,1']
      )
    }
  },
  {
    name: 'concurrent creations of one id of several properties store one record',
    run: async (t, options) => {
      const Price = await openPrices(t, options)
      const made = await Promise.allSettled(
        Array.from({ length: 8 }, async (_, amount) => Price.upsert({ shop: 'z', region: 1, amount }))
      )
      t.ok(made.some(({ status }) => status === 'fulfilled'))
      t.equal(await Price.count({ shop: 'z' }), 1)
    }
  }
]

/** Runs them with a connector that is not one of SQL. */
export async function compositeIdTests(t: Test, options: TransactionTestsOptions): Promise<void> {
  for (const { name, run } of compositeIdCases) await t.test(name, async (t) => run(t, options))
}
