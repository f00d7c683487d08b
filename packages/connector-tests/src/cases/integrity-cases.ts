import { all, conditionsOn, filterOf } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

const duplicate = { code: 'DUPLICATE_KEY' }

/** What holds however operations fail or meet. */
export const integrityCases: readonly TestCase[] = [
  {
    name: 'insert refuses an id that exists',
    run: async (t, { collections }) => {
      await collections.Coupon.insert([{ code: 'A', off: 1 }])
      await t.rejects(async () => collections.Coupon.insert([{ code: 'A', off: 2 }]), duplicate)
      await t.rejects(async () => collections.Coupon.insert([{ code: 'B' }, { code: 'B' }]), duplicate)
      t.match(await collections.Coupon.find(filterOf({})), [{ code: 'A', off: 1 }])
    }
  },
  {
    name: 'unique values are refused when they exist',
    run: async (t, { models, collections }) => {
      const { Item } = collections
      const { is } = conditionsOn(models.Item)
      await Item.insert([
        { name: 'a', code: 'x' },
        { name: 'b', code: 'y' }
      ])
      await t.rejects(async () => Item.insert([{ name: 'c', code: 'x' }]), duplicate, 'insert')
      const twice = ['c', 'd'].map((name) => ({ name, code: 'w' }))
      await t.rejects(async () => Item.insert(twice), duplicate, 'insert of several')
      await t.rejects(async () => Item.update(is('id', 'eq', 2), { code: 'x' }), duplicate, 'update')
      await t.rejects(async () => Item.update(undefined, { code: 'z' }), duplicate, 'update of several')
      await t.rejects(async () => Item.upsert({ id: 2, code: 'x' }), duplicate, 'upsert')
      await t.rejects(async () => Item.replace(2, { id: 2, code: 'x' }), duplicate, 'replace')
      t.match(await Item.find(filterOf({})), [
        { name: 'a', code: 'x' },
        { name: 'b', code: 'y' }
      ])
    }
  },
  {
    name: 'a row keeps its own unique value, and frees it when it goes',
    run: async (t, { models, collections }) => {
      const { Item } = collections
      await Item.insert([{ name: 'a', code: 'x' }])
      t.equal(await Item.update(undefined, { code: 'x', qty: 1 }), 1)
      t.equal(await Item.replace(1, { id: 1, code: 'x' }), true)
      await Item.delete(conditionsOn(models.Item).is('id', 'eq', 1))
      t.match(await Item.insert([{ name: 'b', code: 'x' }]), [{ code: 'x' }])
    }
  },
  {
    name: 'several rows may lack a unique value',
    run: async (t, { collections }) => {
      await collections.Item.insert([
        { name: 'a' },
        { name: 'b' },
        { name: 'c', code: null },
        { name: 'd', code: null }
      ])
      t.equal(await collections.Item.count(undefined), 4)
    }
  },
  {
    name: 'insert of many stores all or none',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'a', code: 'x' }])
      await t.rejects(
        async () =>
          collections.Item.insert([
            { name: 'b', code: 'y' },
            { name: 'c', code: 'x' }
          ]),
        duplicate
      )
      t.equal(await collections.Item.count(undefined), 1)
      t.match(await collections.Item.insert([{ name: 'd', code: 'y' }]), [{ code: 'y' }])
    }
  },
  {
    name: 'update of many changes all or none',
    run: async (t, { collections }) => {
      await collections.Item.insert([
        { name: 'a', code: 'x', qty: 1 },
        { name: 'b', code: 'y', qty: 1 }
      ])
      await t.rejects(async () => collections.Item.update(undefined, { code: 'z', qty: 2 }), duplicate)
      t.match(await collections.Item.find(filterOf({})), [
        { code: 'x', qty: 1 },
        { code: 'y', qty: 1 }
      ])
    }
  },
  {
    name: 'of several updates that expect the same version one succeeds',
    run: async (t, { models, collections }) => {
      await collections.Item.insert([{ name: 'a', qty: 1 }])
      const { is } = conditionsOn(models.Item)
      const attempts = Array.from({ length: 20 }, async (_, at) =>
        collections.Item.update(all(is('id', 'eq', 1), is('qty', 'eq', 1)), { qty: 2 + at })
      )
      const counts = await Promise.all(attempts)
      t.same(
        counts.filter((count) => count > 0),
        [1]
      )
      const row = await collections.Item.findById(1)
      t.equal(row?.['qty'], 2 + counts.indexOf(1))
    }
  },
  {
    name: 'of several inserts of one id one succeeds',
    run: async (t, { collections }) => {
      const attempts = Array.from({ length: 10 }, async (_, off) => collections.Coupon.insert([{ code: 'A', off }]))
      const results = await Promise.allSettled(attempts)
      t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      t.equal(await collections.Coupon.count(undefined), 1)
    }
  },
  {
    name: 'inserts at the same time get different ids',
    run: async (t, { collections }) => {
      const inserted = await Promise.all(
        Array.from({ length: 50 }, async (_, qty) => collections.Item.insert([{ qty }]))
      )
      t.equal(new Set(inserted.flat().map(({ id }) => id)).size, 50)
      t.equal(await collections.Item.count(undefined), 50)
    }
  },
  {
    name: 'a value is never read as a structure',
    run: async (t, { models, collections }) => {
      const { is, wire, among } = conditionsOn(models.Item)
      const name = `'; DROP TABLE "Item"; -- " \\ \` $1 :x {"$gt":""} é 😀`
      await collections.Item.insert([{ name, code: `' or '1'='1` }])
      t.match(await collections.Item.find(filterOf({ where: is('name', 'eq', name) })), [{ name }])
      t.equal(await collections.Item.count(among('code', 'inq', [`' or '1'='1`])), 1)
      t.equal(await collections.Item.count(is('code', 'eq', `' or ''='`)), 0)
      t.equal(await collections.Item.count(wire('name', 'like', 'DROP TABLE')), 1)
    }
  }
]
