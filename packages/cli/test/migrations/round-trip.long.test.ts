import * as fc from 'fast-check'
import t from 'tap'
import { logRoundTrip } from './log-round-trip.ts'
import { makeShop } from './make-shop.ts'
import { onSqlite, schemaOf } from './on-sqlite.ts'
import { roundTrip } from './round-trip.ts'

t.test('changes of models go up, down and up again on SQLite', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  await roundTrip(t, shop, { dump: async () => run(schemaOf), fullName: 'customer.fullname' })
})

t.test('a way back on SQLite leads to a table whose changes are logged as before', async (t) => {
  const shop = makeShop(t)
  await logRoundTrip(t, shop, { run: onSqlite(t, shop.dir), note: 'note' })
})

const property = fc.record({
  type: fc.constantFrom('string', 'number', 'boolean', 'date', 'object'),
  required: fc.boolean(),
  index: fc.boolean(),
  unique: fc.boolean()
})
const model = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), property)
const models = fc.dictionary(fc.constantFrom('One', 'Two', 'Three'), model, { minKeys: 1 })

t.test('whatever models change to, each migration leads there, and its way back to where it was', async (t) => {
  const id = { type: 'number', id: true, generated: true }
  await fc.assert(
    fc.asyncProperty(fc.array(models, { minLength: 1, maxLength: 3 }), async (versions) => {
      const shop = makeShop(t)
      const run = onSqlite(t, shop.dir)
      const seen = [await run(schemaOf)]
      for (const version of versions) {
        const named = Object.entries(version).map(([name, properties]) => [
          name,
          { strict: true, properties: { id, ...properties } }
        ])
        shop.setModels(Object.fromEntries(named))
        await shop.migrate(['--create', 'next', '--data', '--no-rename'])
        await shop.migrate(['--yes'])
        t.match((await shop.migrate(['--status'])).outText(), /the database matches the models/)
        seen.push(await run(schemaOf))
      }
      for (const before of seen.slice(0, -1).toReversed()) {
        await shop.migrate(['--down', '--lose-data', '--yes'])
        t.same(await run(schemaOf), before)
      }
      await shop.migrate(['--yes'])
      t.same(await run(schemaOf), seen.at(-1))
    }),
    { numRuns: 12 }
  )
})
