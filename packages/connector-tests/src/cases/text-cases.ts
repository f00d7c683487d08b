import { ApiError } from '@modelwire/core'
import type { Collection, Row } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { conditionsOn, type Conditions } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

/** NUL, halves of a surrogate pair, what libraries put in their place, and characters with a meaning in JSON or SQL. */
const odd = ['\0', '\ud800', '\udfff', '\ufffd', '\ufeff', '\uffff', '😀', '\\ud800', '\\u0000', '\\', '"', "'", 'a']

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  maxLength: 5
})

/** The text as a value, an item, a name and a value within JSON. */
const rowWith = (each: string): Row => ({
  name: each,
  tags: [each, 'x'],
  meta: { [`${each}.`]: each, list: [{ deep: { [each]: each } }] }
})

type Write = (collection: Collection, row: Row, conditions: Conditions) => Awaitable<unknown>

/** Every way to store a row that has the id 1 already. */
const writes: Readonly<Record<string, Write>> = {
  upsert: (collection, row) => collection.upsert({ id: 1, ...row }),
  update: (collection, row, { is }) => collection.update(is('id', 'eq', 1), row),
  replace: (collection, row) => collection.replace(1, { id: 1, ...row }),
  patch: async (collection, row, { is }) =>
    (await collection.patch?.(is('id', 'eq', 1), row)) ?? collection.update(undefined, row)
}

/** True when it was done, false when it was refused as an error of the caller. */
async function isStored(write: () => Awaitable<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.statusCode >= 400 && error.statusCode < 500) return false
    throw error
  }
}

const isWithin = (part: Row, row: Row | undefined): boolean =>
  row !== undefined && Object.entries(part).every(([name, value]) => isDeepStrictEqual(row[name], value))

/** Undefined where a row is read back as it was written, or nothing was changed; else the first way in which it is not. */
async function firstChange(collection: Collection, on: Conditions, row: Row): Promise<string | undefined> {
  await collection.delete(undefined)
  const isInserted = await isStored(() => collection.insert([{ id: 1, ...row }]))
  if (isInserted !== isWithin(row, await collection.findById(1))) return 'insert'
  if (!isInserted) await collection.insert([{ id: 1 }])
  for (const [name, write] of Object.entries(writes)) {
    const before = await collection.findById(1)
    const done = await isStored(() => write(collection, row, on))
    if (!isWithin(done ? row : (before ?? {}), await collection.findById(1))) return name
  }
  return undefined
}

/** No text is changed on its way into the database and back. */
export const textCases: readonly TestCase[] = [
  {
    name: 'any text is read back as it was stored, or it is refused',
    run: async (t, { models, collections }) => {
      await fc.assert(
        fc.asyncProperty(text, text, async (one, other) => {
          const note = { [`k${one}`]: other, other: { [other]: [one] } }
          const changes = [
            await firstChange(collections.Item, conditionsOn(models.Item), rowWith(one)),
            await firstChange(collections.Note, conditionsOn(models.Note), note)
          ]
          if (!isDeepStrictEqual(changes, [undefined, undefined])) throw new Error(changes.join())
        }),
        { numRuns: 150 }
      )
      t.pass('for 150 pairs of texts')
    }
  },
  {
    name: 'a text that the database cannot hold is neither found nor taken for another one',
    run: async (t, { models, collections }) => {
      await collections.Coupon.insert([{ code: 'a\ufffdb', off: 1 }])
      await collections.Item.insert([{ name: 'a\ufffdb', meta: { x: 'a\ufffdb' } }])
      const [item, coupon] = [conditionsOn(models.Item), conditionsOn(models.Coupon)]
      for (const each of ['a\ud800b', 'a\udfffb', 'a\0b']) {
        t.equal(await collections.Coupon.findById(each), undefined)
        t.equal(await collections.Coupon.count(coupon.is('code', 'eq', each)), 0)
        t.equal(await collections.Coupon.count(coupon.among('code', 'inq', [each])), 0)
        t.equal(await collections.Coupon.count(coupon.is('code', 'neq', each)), 1)
        t.equal(await collections.Coupon.count(coupon.among('code', 'nin', [each, 'x'])), 1)
        t.equal(await collections.Coupon.count(coupon.wire('code', 'like', each)), 0)
        t.equal(await collections.Coupon.delete(coupon.is('code', 'eq', each)), 0)
        t.equal(await collections.Item.update(item.is('name', 'eq', each), { qty: 5 }), 0)
        t.equal(await collections.Item.count(item.is('meta.x', 'eq', each)), 0)
        t.equal(await collections.Item.count(item.is('meta.x', 'neq', each)), 1)
      }
      t.match(await collections.Coupon.findById('a\ufffdb'), { off: 1 })
    }
  }
]
