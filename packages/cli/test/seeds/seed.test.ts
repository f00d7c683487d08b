import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import { memory } from '@modelwire/connector-memory'
import { migrate } from '@modelwire/core'
import t from 'tap'
import { seed, type SeedReport } from '#src/seeds/index.ts'
import { makeShop, writeSeeds } from './make-shop.ts'

const files = {
  'Review.json': [{ text: 'Sharp', stars: 5, product: { $ref: 'Product', sku: 'GAR-001' } }],
  'Product.json': [
    {
      sku: 'GAR-001',
      price: 24.5,
      since: '2026-01-02T00:00:00.000Z',
      categoryId: { $ref: 'Category', name: 'Garden' }
    },
    { sku: 'KIT-001', price: 69, sizes: { width: 2, height: 3 }, category: { $ref: 'Category', name: 'Kitchen' } }
  ],
  'Category.json': [{ name: 'Garden' }, { name: 'Kitchen' }],
  'notes.md': 'not a seed'
}

const counts = ({ models }: SeedReport) =>
  Object.fromEntries(models.map(({ model, created, changed, unchanged }) => [model, [created, changed, unchanged]]))

t.test('records are stored in the order of their relations, and a second run changes nothing', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, files)
  const first = await seed(app, dir)
  t.same(
    first.models.map(({ model }) => model),
    ['Category', 'Product', 'Review']
  )
  t.same(counts(first), { Category: [2, 0, 0], Product: [2, 0, 0], Review: [1, 0, 0] })
  const [review] = await app.models.get('Review').find({ include: { product: 'category' } })
  t.match(review?.toJSON(), { stars: 5, product: { sku: 'GAR-001', category: { name: 'Garden' } } })
  t.same(counts(await seed(app, dir)), { Category: [0, 0, 2], Product: [0, 0, 2], Review: [0, 0, 1] })
})

t.test('what differs is changed, and nothing else', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, files)
  await seed(app, dir)
  const changed: unknown[] = []
  app.models.get('Product').observe('before save', async (context) => void changed.push(context.data))
  const [first, second] = files['Product.json']
  writeFileSync(
    join(dir, 'Product.json'),
    JSON.stringify([{ ...first, price: 20 }, second, { ...second, sku: 'KIT-002' }])
  )
  const report = await seed(app, dir)
  t.same(counts(report), { Category: [0, 0, 2], Product: [1, 1, 1], Review: [0, 0, 1] })
  t.same(report.records.find(({ action }) => action === 'changed')?.changes, ['price'])
  t.equal(changed.length, 2)
  t.equal((await app.models.get('Product').findOne({ where: { sku: 'GAR-001' } }))?.['price'], 20)
})

t.test('a record with an id keeps it; one without any key is created unless an equal one is there', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, {
    'Category.json': [{ id: 7, name: 'Garden' }],
    'Product.json': [{ id: 3, sku: 'GAR-001', price: 1, categoryId: 7 }],
    'Review.json': [
      { text: 'Sharp', productId: 3 },
      { text: 'Blunt', productId: 3 }
    ],
    'Tag.json': [
      { name: 'a', owner: 'x' },
      { name: 'a', owner: 'y' }
    ]
  })
  await seed(app, dir)
  await app.models.get('Review').create({ text: 'Mine', productId: 3 })
  t.same(counts(await seed(app, dir)), { Category: [0, 0, 1], Product: [0, 0, 1], Review: [0, 0, 2], Tag: [0, 0, 2] })
  t.equal(await app.models.get('Review').count(), 3)
  t.ok(await app.models.get('Category').exists(7))
})

t.test('models whose records lead to each other are stored, where one of the keys is optional', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, {
    'Team.json': [{ name: 'Red', leader: { $ref: 'Member', name: 'Ann' } }],
    'Member.json': [{ name: 'Ann', teamId: { $ref: 'Team', name: 'Red' } }],
    'Category.json': [{ name: 'Roses', parent: { $ref: 'Category', name: 'Garden' } }, { name: 'Garden' }]
  })
  t.same(counts(await seed(app, dir)), { Category: [2, 0, 0], Team: [1, 0, 0], Member: [1, 0, 0] })
  const [team] = await app.models.get('Team').find({ include: 'leader' })
  t.match(team?.toJSON(), { leader: { name: 'Ann' } })
  t.match(await app.models.get('Category').findOne({ where: { name: 'Roses' } }), { parentId: 2 })
  t.same(counts(await seed(app, dir)), { Category: [0, 0, 2], Team: [0, 0, 1], Member: [0, 0, 1] })
  await app.models.get('Team').updateAll({ leaderId: null })
  t.same(counts(await seed(app, dir)), { Category: [0, 0, 2], Team: [0, 1, 0], Member: [0, 0, 1] })
})

t.test('a dry run stores nothing and says what it would do', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, { ...files, 'more.mjs': 'export default () => { throw new Error("not in a dry run") }' })
  const report = await seed(app, dir, { dryRun: true })
  t.same(counts(report), { Category: [2, 0, 0], Product: [2, 0, 0], Review: [1, 0, 0] })
  t.match(report, { dryRun: true, scripts: ['more.mjs'] })
  t.equal(await app.models.get('Category').count(), 0)
  await app.models.get('Category').create({ name: 'Garden' })
  t.same(counts(await seed(app, dir, { dryRun: true })), { Category: [1, 0, 1], Product: [2, 0, 0], Review: [1, 0, 0] })
})

t.test('only named files, and those of the environment beside the others', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, { ...files, 'test/Tag.json': [{ name: 'a', owner: 'x' }], 'staging/Tag.json': [] })
  t.same(counts(await seed(app, dir, { only: ['Category'] })), { Category: [2, 0, 0] })
  t.same(counts(await seed(app, dir, { environment: 'test', only: ['Tag', 'Category'] })), {
    Category: [0, 0, 2],
    Tag: [1, 0, 0]
  })
})

t.test('reset deletes what is there first', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, files)
  await seed(app, dir)
  await app.models.get('Product').create({ sku: 'MINE', price: 1, categoryId: 1 })
  const planned = await seed(app, dir, { reset: true, dryRun: true })
  const report = await seed(app, dir, { reset: true })
  for (const { models } of [planned, report])
    t.match(
      models.find(({ model }) => model === 'Product'),
      { created: 2, unchanged: 0, deleted: 3 }
    )
  t.equal(await app.models.get('Product').count(), 2)
})

t.test('scripts get the models, and store records as files do', async (t) => {
  const app = await makeShop(t)
  const script = `export default async ({ Category }, { app, seed }) => {
    const [made] = await seed('Category', [{ name: 'Garden' }])
    await seed('Product', [{ sku: 'GAR-001', price: 1, categoryId: made.id }])
    if (app.models.Category !== Category) throw new Error('another application')
  }`
  const dir = writeSeeds(t, { 'shop.mjs': script, 'more.cjs': 'module.exports = async ({ Tag }) => Tag.count()' })
  t.match(await seed(app, dir), { scripts: ['more.cjs', 'shop.mjs'], models: [{ created: 1 }, { created: 1 }] })
  t.same(counts(await seed(app, dir)), { Category: [0, 0, 1], Product: [0, 0, 1] })
})

t.test('everything or nothing is stored where the data source has transactions', async (t) => {
  const wrong = { ...files, 'fails.mjs': 'export default () => { throw new Error("no") }' }
  for (const db of [memory({ transactions: true }), sqlite({ file: ':memory:' })]) {
    const app = await makeShop(t, db)
    if (db.name === 'sqlite') await migrate(app.models)
    const dir = writeSeeds(t, wrong)
    await t.rejects(seed(app, dir), { code: 'SEED_SCRIPT_FAILED', where: { file: 'fails.mjs' } })
    t.equal(await app.models.get('Category').count(), 0, db.name)
    t.same(counts(await seed(app, writeSeeds(t, files))), {
      Category: [2, 0, 0],
      Product: [2, 0, 0],
      Review: [1, 0, 0]
    })
    t.same(counts(await seed(app, dir, { only: ['Product'] })), { Product: [0, 0, 2] })
  }
})
