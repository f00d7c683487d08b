import { conditionsOn, filterOf } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

const onePerPerson = {
  code: 'DUPLICATE_KEY',
  statusCode: 409,
  message: 'Member already has a record with these values of person, club (unique index "onePerPerson")',
  details: { index: 'onePerPerson', properties: ['person', 'club'] }
}

const ann = { person: 'Ann', club: 1 }
const anns = [
  { ...ann, number: 1 },
  { person: 'Ann', club: 2, number: 2 },
  { person: 'Bob', club: 1, number: 3 }
]

/** Unique indexes of a model, and what is told of those that refuse a record. */
export const uniqueCases: readonly TestCase[] = [
  {
    name: 'a unique index over several properties refuses what exists, in every write',
    run: async (t, { models, collections: { Member } }) => {
      await Member.insert(anns)
      const { is } = conditionsOn(models.Member)
      await t.rejects(async () => Member.insert([ann]), onePerPerson, 'insert')
      await t.rejects(async () => Member.insert([{ person: 'Cid', club: 1 }, ann]), onePerPerson, 'insert of several')
      const twice = [1, 2].map((number) => ({ person: 'Dan', club: 1, number: 10 + number }))
      await t.rejects(async () => Member.insert(twice), onePerPerson, 'insert of several with the same values')
      await t.rejects(async () => Member.update(is('id', 'eq', 2), { club: 1 }), onePerPerson, 'update')
      await t.rejects(async () => Member.upsert({ id: 2, club: 1 }), onePerPerson, 'upsert of a part')
      await t.rejects(async () => Member.upsert({ id: 9, ...ann }), onePerPerson, 'upsert of a new one')
      await t.rejects(async () => Member.replace(2, { id: 2, ...ann }), onePerPerson, 'replace')
      await t.rejects(async () => Member.update(undefined, ann), onePerPerson, 'update of all to the same values')
      t.match(await Member.find(filterOf({})), anns, 'nothing has changed')
    }
  },
  {
    name: 'an update of many whose rows would collide changes none of them',
    run: async (t, { models, collections: { Member } }) => {
      await Member.insert(anns)
      const { is } = conditionsOn(models.Member)
      await t.rejects(async () => Member.update(is('person', 'eq', 'Ann'), { club: 5 }), onePerPerson)
      t.match(await Member.find(filterOf({})), anns)
      t.equal(await Member.update(is('club', 'eq', 1), { club: 7 }), 2, 'rows that differ in the rest')
    }
  },
  {
    name: 'patch obeys a unique index',
    run: async (t, { models, collections: { Member } }) => {
      await Member.insert(anns)
      const where = conditionsOn(models.Member).is('id', 'eq', 2)
      if (models.Member.dataSource?.connector.capabilities.operations.has('patch') !== true) return
      await t.rejects(async () => Member.patch?.(where, { club: 1 }), onePerPerson)
      t.match(await Member.find(filterOf({})), anns)
    }
  },
  {
    name: 'rows that lack a value of a unique index never collide',
    run: async (t, { collections: { Member } }) => {
      await Member.insert([{ person: 'Ann' }, { person: 'Ann', club: null }, { club: 1 }, { club: 1 }, {}, {}])
      t.equal(await Member.count(undefined), 6)
      await t.rejects(
        async () => Member.update(undefined, { club: 2 }),
        { code: 'DUPLICATE_KEY' },
        'once they have them'
      )
      t.equal(await Member.update(undefined, { person: null }), 6)
    }
  },
  {
    name: 'rows with other values of a unique index are stored, and free theirs when they change or go',
    run: async (t, { models, collections: { Member } }) => {
      const { is } = conditionsOn(models.Member)
      await Member.insert(anns)
      t.equal(await Member.update(is('id', 'eq', 1), { role: 'chair', club: 1 }), 1, 'its own values')
      await Member.update(is('id', 'eq', 1), { club: 3 })
      await Member.insert([ann])
      await Member.delete(is('id', 'eq', 2))
      await Member.insert([{ person: 'Ann', club: 2 }])
      await Member.insert([{ person: 'ann', club: 2 }])
      t.equal(await Member.count(undefined), 5)
    }
  },
  {
    name: 'what a unique index refuses is told by the name of the index and its properties',
    run: async (t, { collections: { Member, Item, Coupon } }) => {
      await Member.insert(anns)
      await Item.insert([{ name: 'a', code: 'x' }])
      await Coupon.insert([{ code: 'A' }])
      await t.rejects(async () => Member.insert([{ number: 3 }]), {
        message: 'Member already has a record with number 3 (unique index "byNumber")',
        details: { index: 'byNumber', properties: ['number'] },
        value: 3
      })
      const error: unknown = await Promise.resolve()
        .then(() => Item.insert([{ name: 'b', code: 'x' }]))
        .catch((thrown: unknown) => thrown)
      t.match(error, { message: 'Item already has a record with code "x"', property: 'code', value: 'x' })
      t.strictSame(Reflect.get(Object(error), 'details'), { properties: ['code'] })
      await t.rejects(async () => Coupon.insert([{ code: 'A' }]), {
        message: 'Coupon already has a record with code "A"',
        details: { properties: ['code'] }
      })
    }
  }
]
