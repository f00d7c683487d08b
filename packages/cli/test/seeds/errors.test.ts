import t from 'tap'
import { seed, SeedError, type SeedOptions } from '#src/seeds/index.ts'
import { makeShop, writeSeeds } from './make-shop.ts'

interface Case {
  readonly files: Readonly<Record<string, unknown>>
  readonly error: Readonly<Record<string, unknown>>
  readonly options?: SeedOptions
}

const garden = { 'Category.json': [{ name: 'Garden' }] }
const product = { sku: 'GAR-001', price: 1 }

const cases: Readonly<Record<string, Case>> = {
  'a file that is not JSON': {
    files: { 'Category.json': '[{]' },
    error: { code: 'SEED_FILE_INVALID', where: { file: 'Category.json' } }
  },
  'a file without a list': {
    files: { 'Category.json': { name: 'Garden' } },
    error: { code: 'SEED_FILE_INVALID', where: { file: 'Category.json' } }
  },
  'a record that is none': {
    files: { 'Category.json': [{ name: 'Garden' }, 'Kitchen'] },
    error: { code: 'SEED_FILE_INVALID', index: 1, where: { key: '[1]' } }
  },
  'a record without anything': {
    files: { 'Category.json': [{ name: 'Garden' }, {}] },
    error: { code: 'SEED_FILE_INVALID', index: 1 }
  },
  'a script without a function': {
    files: { 'more.mjs': 'export const a = 1' },
    error: { code: 'SEED_FILE_INVALID', where: { file: 'more.mjs' } }
  },
  'a reference without a property': {
    files: { ...garden, 'Product.json': [{ ...product, category: { $ref: 'Category' } }] },
    error: { code: 'SEED_FILE_INVALID', where: { key: '[0].category' } }
  },
  'a file of no model': {
    files: { 'Categorie.json': [] },
    error: { code: 'SEED_NAME_UNKNOWN', message: /did you mean "Category"/ }
  },
  'a reference to no model': {
    files: { ...garden, 'Product.json': [{ ...product, category: { $ref: 'Nothing', name: 'Garden' } }] },
    error: { code: 'SEED_NAME_UNKNOWN', index: 0 }
  },
  'a name that is no file': {
    files: garden,
    options: { only: ['Product'] },
    error: { code: 'SEED_NAME_UNKNOWN' }
  },
  'models that require each other': {
    files: { 'Egg.json': [{ name: 'a', henId: 1 }], 'Hen.json': [{ name: 'b', eggId: 1 }] },
    error: { code: 'SEED_CYCLE', models: ['Egg', 'Hen', 'Egg'], message: /Egg → Hen → Egg/ }
  },
  'a reference that leads to nothing': {
    files: { ...garden, 'Product.json': [{ ...product, category: { $ref: 'Category', name: 'Kitchen' } }] },
    error: { code: 'SEED_REFERENCE_MISSING', index: 0, where: { file: 'Product.json', key: '[0].category' } }
  },
  'a reference that leads to several': {
    files: {
      'Category.json': [
        { name: 'a', parentId: 9 },
        { name: 'b', parentId: 9 }
      ],
      'Product.json': [{ ...product, categoryId: { $ref: 'Category', parentId: 9 } }]
    },
    error: { code: 'SEED_REFERENCE_AMBIGUOUS', index: 0 }
  },
  'a record twice': {
    files: { 'Category.json': [{ name: 'Garden' }, { name: 'Garden', parentId: 3 }] },
    error: { code: 'SEED_RECORD_TWICE', index: 1, message: /Category\.json\[0\]/ }
  },
  'a record twice, in a dry run': {
    files: { 'Category.json': [{ name: 'Garden' }, { name: 'Garden', parentId: 3 }] },
    options: { dryRun: true },
    error: { code: 'SEED_RECORD_TWICE', index: 1 }
  },
  'a record that is not valid': {
    files: { ...garden, 'Product.json': [{ ...product, sku: 'G', categoryId: 1 }] },
    error: { code: 'SEED_RECORD_REFUSED', index: 0, cause: { code: 'VALIDATION_FAILED' } }
  },
  'a script that fails': {
    files: { 'more.mjs': 'export default async () => { throw new RangeError("too far") }' },
    error: { code: 'SEED_SCRIPT_FAILED', cause: { message: 'too far' }, message: /too far/ }
  },
  'a record of a script': {
    files: { 'more.mjs': 'export default async (models, { seed }) => seed("Category", [{ parentId: 1 }])' },
    error: { code: 'SEED_RECORD_REFUSED', where: { file: 'more.mjs' } }
  },
  'a reset in production': {
    files: garden,
    options: { reset: true, environment: 'production' },
    error: { code: 'SEED_RESET_REFUSED' }
  },
  'an option that is none': {
    files: garden,
    // What JavaScript may pass.
    options: { rest: true } as SeedOptions,
    error: { code: 'OPTION_INVALID' }
  }
}

for (const [title, { files, options, error }] of Object.entries(cases))
  void t.test(`${title} is a coded error with its place`, async (t) => {
    const app = await makeShop(t)
    const failure: unknown = await seed(app, writeSeeds(t, files), options).catch((thrown: unknown) => thrown)
    t.match(failure, error)
  })

t.test('a folder that is not there', async (t) => {
  const app = await makeShop(t)
  const failing = seed(app, '/nowhere/seeds')
  await t.rejects(failing, { code: 'SEED_FOLDER_MISSING', statusCode: 500 })
  t.ok((await failing.catch((error: unknown) => error)) instanceof SeedError)
})

t.test('a reset in production is possible by force', async (t) => {
  const app = await makeShop(t)
  const dir = writeSeeds(t, garden)
  await seed(app, dir)
  const report = await seed(app, dir, { reset: true, environment: 'production', force: true })
  t.match(report, { models: [{ deleted: 1, created: 1 }] })
})
