import { conditionsOn, filterOf } from '../conditions.ts'
import type { RunCase } from '../test-case.ts'

/** What databases that speak SQL answer in their own way: for `differences` of `connectorTests`. */
export const sqlDifferences: Readonly<Record<string, RunCase>> = {
  // A column has null for both.
  'what is absent is told from null': async (t, { collections }) => {
    await collections.Item.insert([{ name: null }])
    const [row] = await collections.Item.find(filterOf({}))
    t.equal(row?.['name'], null)
    t.equal(row?.['price'], null)
  },
  // Null stands before all numbers, 0 and less included, as the databases order it.
  'null is zero in an order': async (t, { models, collections }) => {
    await collections.Item.insert([{ price: 1 }, { price: -1 }, { price: null }, { price: 0 }, {}])
    const { order } = conditionsOn(models.Item)
    const prices = async (clause: string): Promise<unknown[]> =>
      (await collections.Item.find(filterOf({ order: order(clause) }))).map(({ price }) => price)
    t.same(await prices('price'), [null, null, -1, 0, 1])
    t.same(await prices('-price'), [1, 0, -1, null, null])
  }
}
