import type { Collection, Filter, Row } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { conditionsOn, filterOf } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

const count = 2500

const members = (): Row[] =>
  Array.from({ length: count }, (_, at) => ({ person: `person ${at}`, club: at % 7, number: count - at, role: 'player' }))

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
    run: async (t, { models, collections: { Member } }) => {
      await checkSame(t, Member, {}, 'no rows')
      await Member.insert(members())
      const { is, order } = conditionsOn(models.Member)
      await checkSame(t, Member, {}, 'all of them')
      await checkSame(t, Member, { order: order('-club', 'number') }, 'ordered')
      await checkSame(t, Member, { where: is('club', 'eq', 3), skip: 5, limit: 200 }, 'a page of some')
      await checkSame(t, Member, { fields: new Set(['number']) }, 'some properties')
      await checkSame(t, Member, { where: is('club', 'eq', 8) }, 'none that match')
    }
  },
  {
    name: 'a long result comes in several parts, each of at most a thousand rows',
    run: async (t, { collections: { Member } }) => {
      await Member.insert(members())
      const parts = await partsOf(t, Member, {})
      if (parts === undefined) return
      const sizes = await sizesOf(parts)
      t.ok(sizes.length > 2 && sizes.every((size) => size <= 1000), sizes.join())
    }
  },
  {
    name: 'a result that is left before its end holds up nothing',
    run: async (t, { collections: { Member } }) => {
      await Member.insert(members())
      for (let round = 0; round < 30; round++) {
        const parts = await partsOf(t, Member, {})
        if (parts === undefined) return
        for await (const rows of parts) {
          t.ok(rows.length > 0)
          break
        }
      }
      await Member.update(undefined, { role: 'coach' })
      t.equal(await Member.delete(undefined), count)
    }
  },
  {
    name: 'other statements run while a result is read in parts',
    run: async (t, { collections: { Member, Note } }) => {
      await Member.insert(members())
      const parts = await partsOf(t, Member, {})
      if (parts === undefined) return
      let rows = 0
      for await (const part of parts) {
        rows += part.length
        await Note.insert([{}])
        t.equal(await Member.count(undefined), count)
      }
      t.equal(rows, count)
    }
  },
  {
    name: 'parts beyond the bound are refused, and the next read is served',
    run: async (t, { collections: { Member } }) => {
      await Member.insert(members())
      const options = { rows: 'most.rows', bytes: 'most.bytes' }
      const within = async (rows: number, bytes: number): Promise<number[]> => {
        const parts = await partsOf(t, Member, { atMost: { rows, bytes, options } })
        return parts === undefined ? [] : sizesOf(parts)
      }
      if ((await within(count, Infinity)).length === 0) return
      await t.rejects(within(count - 1, Infinity), { code: 'ANSWER_TOO_LARGE', exceeded: 'rows' })
      await t.rejects(within(count, 20_000), { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
      t.equal((await within(count, 64 * 1024 * 1024)).reduce((sum, size) => sum + size), count)
    }
  }
]
