import type { Condition, Row } from '@modelwire/core/connector'
import * as fc from 'fast-check'
import { conditionsOn, type Conditions, filterOf, type OneValueOperator } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

/** Numbers that some type of number does not have. */
const odd = [
  Infinity,
  -Infinity,
  NaN,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  1e21,
  -1e21,
  1e-7,
  2 ** 63
]
const whole = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 2 ** 64, 1e15, -0, 0, 1, 12]

const number = fc.oneof(fc.constantFrom(...odd, ...whole), fc.double(), fc.integer({ min: -2, max: 15 }))
const prices = [-1, 0, 1.5, 12, 1e15, 1e300]

type Test = (price: number, operands: readonly number[]) => boolean

const comparisons: Readonly<Record<OneValueOperator, Test>> = {
  eq: (price, [sought = NaN]) => price === sought,
  neq: (price, [sought = NaN]) => price !== sought,
  gt: (price, [low = NaN]) => price > low,
  gte: (price, [low = NaN]) => price >= low,
  lt: (price, [high = NaN]) => price < high,
  lte: (price, [high = NaN]) => price <= high
}
// The table has nothing but operators.
const oneValue = Object.entries(comparisons) as [OneValueOperator, Test][]

/** Every operator on a path with its operands, and what it means. */
function conditionsWith({ is, among, between }: Conditions, path: string, [one, two]: readonly [number, number]) {
  const list: [Condition, Test][] = oneValue.map(([operator, test]) => [is(path, operator, one), test])
  list.push([among(path, 'inq', [one, two]), (price) => price === one || price === two])
  list.push([among(path, 'nin', [one, two]), (price) => price !== one && price !== two])
  list.push([between(path, one, two), (price) => price >= one && price <= two])
  return list
}

/** Numbers of clients reach the database whatever they are. */
export const numberCases: readonly TestCase[] = [
  {
    name: 'a comparison with any number, infinite ones and none as well, finds what it means',
    run: async (t, { models, collections }) => {
      const { Item } = collections
      await Item.insert(prices.map((price): Row => ({ price, sizes: [price], meta: { n: price } })))
      const on = conditionsOn(models.Item)
      await fc.assert(
        fc.asyncProperty(number, number, fc.constantFrom('price', 'sizes', 'meta.n'), async (one, two, path) => {
          for (const [where, test] of conditionsWith(on, path, [one, two])) {
            const found = await Item.find(filterOf({ where, order: on.order('price') }))
            const wanted = prices.filter((price) => test(price, [one]))
            if (found.map(({ price }) => price).join() !== wanted.join()) throw new Error(JSON.stringify(where))
          }
        }),
        { numRuns: 60 }
      )
      t.pass('for 60 pairs of numbers')
    }
  },
  {
    name: 'an id that is any number is found or not',
    run: async (t, { models, collections }) => {
      await collections.Item.insert([{ name: 'a' }, { name: 'b' }])
      const { is, among } = conditionsOn(models.Item)
      await fc.assert(
        fc.asyncProperty(number, async (id) => {
          const isThere = id === 1 || id === 2
          const row = await collections.Item.findById(id)
          if ((row !== undefined) !== isThere) throw new Error('findById')
          if ((await collections.Item.count(is('id', 'eq', id))) !== Number(isThere)) throw new Error('eq')
          if ((await collections.Item.count(among('id', 'inq', [id]))) !== Number(isThere)) throw new Error('inq')
          if (!isThere && (await collections.Item.replace(id, { id, name: 'x' }))) throw new Error('replace')
          if (!isThere && (await collections.Item.delete(is('id', 'eq', id))) > 0) throw new Error('delete')
        }),
        { numRuns: 100 }
      )
      t.equal(await collections.Item.count(undefined), 2)
    }
  }
]
