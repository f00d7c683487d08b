import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import t from 'tap'
import { defineFixtureModels, filterOf } from '@modelwire/connector-tests'
import type { Collection, Row } from '@modelwire/core/connector'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const definitions = Object.values(defineFixtureModels().models).map(({ definition }) => ({
  ...definition,
  base: 'PersistedModel'
}))

const text = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('"\n\\', '😀', '\u2028'))
const row = fc.record(
  {
    name: fc.option(text),
    price: fc.option(fc.integer()),
    active: fc.boolean(),
    added: fc.date({ noInvalidDate: true }),
    tags: fc.array(text, { maxLength: 2 }),
    origin: fc.record({ country: text, address: fc.record({ city: text }) }),
    meta: fc.jsonValue({ maxDepth: 2 }).map((a) => ({ a })),
    picture: fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    undeclared: fc.option(text)
  },
  { requiredKeys: [] }
)
const someId = fc.integer({ min: 1, max: 15 })

type Run = (items: Collection) => unknown
const byId = (value: number) => ({ kind: 'test', path: ['id'], test: 'equals', value }) as const
const step: fc.Arbitrary<Run> = fc.oneof(
  fc.array(row, { minLength: 1, maxLength: 3 }).map(
    (rows): Run =>
      (items) =>
        items.insert(rows.map((each) => ({ ...each })))
  ),
  fc.tuple(someId, row).map(
    ([id, patch]): Run =>
      (items) =>
        items.update(byId(id), { ...patch })
  ),
  row.map(
    (patch): Run =>
      (items) =>
        items.update({ kind: 'test', path: ['active'], test: 'equals', value: true }, { ...patch })
  ),
  fc.tuple(someId, row).map(
    ([id, each]): Run =>
      (items) =>
        items.upsert({ id, ...each })
  ),
  fc.tuple(someId, row).map(
    ([id, each]): Run =>
      (items) =>
        items.replace(id, { ...each })
  ),
  someId.map(
    (id): Run =>
      (items) =>
        items.delete(byId(id))
  )
)

const readAll = async (items: Collection): Promise<Row[]> => structuredClone(await items.find(filterOf({})))

void t.test(
  'what a journal replays is what the process had, before and after a snapshot',
  { timeout: 60_000 },
  async (t) => {
    const folder = await makeDataFolder(t)
    let count = 0
    const run = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const at = join(folder, `${count++}`)
      const file = join(folder, `${count}.json`)
      const { connector, collection } = await openMemory(t, definitions, { file })
      await Promise.all(steps.map((each) => each(collection('Item'))))
      const expected = await readAll(collection('Item'))
      for (const ending of ['', '.journal'])
        await cp(file + ending, at + ending, { force: true }).catch(() => undefined)
      const replayed = await openMemory(t, definitions, { file: at })
      t.strictSame(await readAll(replayed.collection('Item')), expected, 'replayed')
      const [next] = await replayed.collection('Item').insert([{}])
      await replayed.connector.disconnect()
      await connector.disconnect()
      const reopened = await openMemory(t, definitions, { file })
      t.strictSame(await readAll(reopened.collection('Item')), expected, 'from the snapshot')
      t.match(await reopened.collection('Item').insert([{}]), [{ id: next?.['id'] }], 'the same next id')
      await reopened.connector.disconnect()
    })
    await fc.assert(run, { numRuns: 40 })
  }
)
