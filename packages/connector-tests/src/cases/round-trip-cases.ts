import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@modelwire/core'
import type { Collection, Row } from '@modelwire/core/connector'
import * as fc from 'fast-check'
import type { TestCase } from '../test-case.ts'

const number = fc.double({ noDefaultInfinity: true, noNaN: true })
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[-0-9. \0']{0,30}$/)
)
const time = fc.oneof(
  fc.date({ noInvalidDate: true }),
  fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('2100-01-01') })
)

/** Values of every property but the id. */
const properties: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name: text,
  price: number,
  qty: fc.oneof(fc.maxSafeInteger(), fc.integer()),
  active: fc.boolean(),
  added: time,
  tags: fc.array(text, { maxLength: 4 }),
  sizes: fc.array(number, { maxLength: 4 }),
  origin: fc.record({ country: text, zone: number, address: fc.record({ city: text }) }, { requiredKeys: [] }),
  meta: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  place: fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true })
  }),
  picture: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
}

const pair = fc
  .constantFrom(...Object.keys(properties))
  .chain((name) => fc.tuple(fc.constant(name), properties[name] ?? fc.constant(null)))

/** A zero has no sign in most databases, nor in JSON. */
function unsigned(value: unknown): unknown {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(unsigned)
  if (typeof value !== 'object' || value === null || value instanceof Date || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unsigned(part)]))
}

/** Whether it was stored: a client error means that it cannot be. */
async function isStored(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.statusCode === 400 || error.statusCode === 422)) return false
    throw error
  }
}

async function storeAndCompare(Item: Collection, name: string, value: unknown): Promise<void> {
  const isThere = (row: Row | undefined): boolean => isDeepStrictEqual(unsigned(row?.[name]), unsigned(value))
  await Item.delete(undefined)
  let id: unknown
  const inserts = await isStored(async () => {
    const [row] = await Item.insert([{ [name]: value }])
    id = row?.['id']
  })
  if (!inserts) return
  if (!isThere(await Item.findById(Number(id)))) throw new Error('an insert stored something else')
  await Item.update(undefined, { [name]: null })
  await Item.update(undefined, { [name]: value })
  if (!isThere(await Item.findById(Number(id)))) throw new Error('an update stored something else')
}

/** Nothing is changed without a word. */
export const roundTripCases: readonly TestCase[] = [
  {
    name: 'a value of any type is read as it was stored, or is refused',
    run: async (t, { collections: { Item } }) => {
      await fc.assert(
        fc.asyncProperty(pair, async ([name, value]) => storeAndCompare(Item, name, value)),
        { numRuns: 100 }
      )
      t.pass('for 100 values')
    }
  },
  {
    name: 'the first years are not those of this century',
    run: async (t, { collections: { Item } }) => {
      for (const year of ['0001', '0002', '0069', '0070', '0099', '0100', '0999', '1883', '9999'])
        await storeAndCompare(Item, 'added', new Date(`${year}-07-01T12:34:56.789Z`))
      t.pass('each of them')
    }
  }
]
