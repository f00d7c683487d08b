import type { Collection, Filter, Row } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { conditionsOn, filterOf } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

const count = 1500

const coupons = (): Row[] =>
  Array.from({ length: count }, (_, at) => ({ code: `a coupon with a long code: ${at}`, off: at % 7 }))

/** The parts of a filter; undefined where the connector only reads whole results. */
async function partsOf(
  t: Test,
  collection: Collection,
  filter: Partial<Filter>
): Promise<AsyncIterable<readonly Row[]> | undefined> {
  const parts = await collection.findInParts?.(filterOf(filter))
  if (parts === undefined) t.comment('it only reads whole results')
  return parts
}

async function sizesOf(parts: AsyncIterable<readonly Row[]>): Promise<number[]> {
  const sizes: number[] = []
  for await (const rows of parts) sizes.push(rows.length)
  return sizes
}

/** Shows that the rows in parts are those of `find`. */
async function checkSame(t: Test, collection: Collection, filter: Partial<Filter>, about: string): Promise<void> {
  const parts = await partsOf(t, collection, filter)
  if (parts === undefined) return
  const rows: Row[] = []
  for await (const part of parts) rows.push(...part)
  t.strictSame(rows, await collection.find(filterOf(filter)), about)
}

/** Long results, read part by part. */
export const partCases: readonly TestCase[] = [
  {
    name: 'the parts of a result have the rows of the whole, in the same order',
    run: async (t, { models, collections: { Coupon } }) => {
      await checkSame(t, Coupon, {}, 'no rows')
      await Coupon.insert(coupons())
      const { is, order } = conditionsOn(models.Coupon)
      await checkSame(t, Coupon, {}, 'all of them')
      await checkSame(t, Coupon, { order: order('-off', 'code') }, 'ordered')
      await checkSame(t, Coupon, { where: is('off', 'eq', 3), skip: 5, limit: 150 }, 'a page of some')
      await checkSame(t, Coupon, { fields: new Set(['off']) }, 'some properties')
      await checkSame(t, Coupon, { where: is('off', 'eq', 8) }, 'none that match')
    }
  },
  {
    name: 'a long result comes in several parts, each of at most a thousand rows',
    run: async (t, { collections: { Coupon } }) => {
      await Coupon.insert(coupons())
      const parts = await partsOf(t, Coupon, {})
      if (parts === undefined) return
      const sizes = await sizesOf(parts)
      t.ok(sizes.length > 1 && sizes.every((size) => size <= 1000), sizes.join())
    }
  },
  {
    name: 'a result that is left before its end holds up nothing',
    run: async (t, { collections: { Coupon } }) => {
      await Coupon.insert(coupons())
      for (let round = 0; round < 20; round++) {
        const parts = await partsOf(t, Coupon, {})
        if (parts === undefined) return
        for await (const rows of parts) {
          t.ok(rows.length > 0)
          break
        }
      }
      await Coupon.update(undefined, { off: 1 })
      t.equal(await Coupon.delete(undefined), count)
    }
  },
  {
    name: 'other statements run while a result is read in parts',
    run: async (t, { collections: { Coupon, Note } }) => {
      await Coupon.insert(coupons())
      const parts = await partsOf(t, Coupon, {})
      if (parts === undefined) return
      let rows = 0
      for await (const part of parts) {
        rows += part.length
        await Note.insert([{}])
        t.equal(await Coupon.count(undefined), count)
      }
      t.equal(rows, count)
    }
  },
  {
    name: 'parts beyond the bound are refused, and the next read is served',
    run: async (t, { collections: { Coupon } }) => {
      await Coupon.insert(coupons())
      const options = { rows: 'most.rows', bytes: 'most.bytes' }
      const within = async (rows: number, bytes: number): Promise<number[]> => {
        const parts = await partsOf(t, Coupon, { atMost: { rows, bytes, options } })
        return parts === undefined ? [] : sizesOf(parts)
      }
      if ((await within(count, Infinity)).length === 0) return
      await t.rejects(within(count - 1, Infinity), { code: 'ANSWER_TOO_LARGE', exceeded: 'rows' })
      await t.rejects(within(count, 20_000), { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
      t.equal(
        (await within(count, 64 * 1024 * 1024)).reduce((sum, size) => sum + size),
        count
      )
    }
  }
]
