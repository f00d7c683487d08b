import { connectorTests, conditionsOn, filterOf, type RunCase } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

const differences: Readonly<Record<string, RunCase>> = {
  // 1. Null and absent values stand together, before all others, as the database orders them: an index serves the order.
  'null is zero in an order': async (t, { models, collections }) => {
    await collections.Item.insert([{ price: 1 }, { price: -1 }, { price: null }, { price: 0 }, {}])
    const { order } = conditionsOn(models.Item)
    const prices = async (clause: string): Promise<unknown[]> =>
      (await collections.Item.find(filterOf({ order: order(clause) }))).map(({ price }) => price)
    t.same(await prices('price'), [null, undefined, -1, 0, 1])
    t.same(await prices('-price'), [1, 0, -1, null, undefined])
  },
  // 2. A name that MongoDB reads as an operator or as a path is refused.
  'undeclared names and values may hold any sign': async (t, { collections: { Note } }) => {
    const hostile = { 'a"b': 1, "c'd": "'; --", 'e\\f': '"', '`i': 'ü😀', 'j k': '\\u0041', more: { 'g.h': '$' } }
    await Note.insert([{ ...hostile }])
    t.strictSame(await Note.findById(1), { id: 1, ...hostile })
    t.equal(await Note.update(undefined, { ...hostile, 'a"b': 2 }), 1)
    t.strictSame({ ...(await Note.findById(1)) }, { id: 1, ...hostile, 'a"b': 2 })
    const refused = { code: 'VALUE_REFUSED', statusCode: 400 }
    for (const row of [{ 'g.h': 1 }, { $: 1 }, { $set: { id: 2 } }, { more: { $inc: 1 } }, { more: [{ $gt: 1 }] }]) {
      await t.rejects(async () => Note.insert([{ ...row }]), refused)
      await t.rejects(async () => Note.update(undefined, { ...row }), refused)
      await t.rejects(async () => Note.upsert({ id: 1, ...row }), refused)
      await t.rejects(async () => Note.replace(1, { id: 1, ...row }), refused)
    }
    t.strictSame({ ...(await Note.findById(1)) }, { id: 1, ...hostile, 'a"b': 2 })
  },
  // 3. A single server has no transactions: what was changed before a record was refused stays changed.
  'an update of many whose rows would collide changes none of them': async (t, { models, collections: { Member } }) => {
    await Member.insert([
      { person: 'Ann', club: 1 },
      { person: 'Ann', club: 2 }
    ])
    const anns = conditionsOn(models.Member).is('person', 'eq', 'Ann')
    await t.rejects(async () => Member.update(anns, { club: 5 }), { code: 'DUPLICATE_KEY' })
    t.equal((await Member.find(filterOf({}))).filter(({ club }) => club === 5).length, 1)
  }
}

void t.test('the MongoDB connector passes the suite', { timeout: 240_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await connectorTests(t, {
    name: 'mongodb',
    differences,
    create: async (models) => {
      const connector = mongodb({ url: database.url, max: 4 })
      await database.client.db().dropDatabase()
      await connector.migrate?.(models, { empty: true })
      return connector
    }
  })
})
