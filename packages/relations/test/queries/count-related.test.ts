import type { ModelDefinition } from '@modelwire/core'
import t from 'tap'
import { codeOf, makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

const titles = ({ body }: { body: unknown }) =>
  (body as { title?: string; name?: string }[]).map(({ title, name }) => title ?? name)

void t.test('a list can be ordered by the number of related records', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.strictSame(titles(await test.get('/Authors', { order: 'books.count' })), ['Cy', 'Bob', 'Ann'])
  t.strictSame(titles(await test.get('/Authors', { order: 'tags.count DESC', limit: 1 })), ['Ann'])
  t.strictSame(titles(await test.get('/Books', { order: ['reviews.count DESC', 'title'] })), ['C', 'D', 'A', 'B'])
})

void t.test('an include may give the number of related records in place of them', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const numbers = async (path: string, include: unknown) => (await test.get(path, { include })).body
  t.match(await numbers('/Authors', { relation: 'books', count: true }), [
    { name: 'Ann', booksCount: 3, books: undefined },
    { name: 'Bob', booksCount: 1 },
    { name: 'Cy', booksCount: 0 }
  ])
  t.strictSame(
    test.calls.map(({ model, method }) => `${model} ${method}`),
    ['Author find', 'Book aggregate'],
    'one statement for all'
  )
  const scope = { where: { 'reviews.stars': { gt: 3 } } }
  t.match(await numbers('/Authors', ['agent', { relation: 'books', count: true, scope }, 'books']), [
    { booksCount: 1, books: { length: 3 } },
    { booksCount: 0, agent: { phone: '1' } },
    { booksCount: 0 }
  ])
  const tagged = { relation: 'tags', count: true, scope: { where: { label: 'red' } } }
  t.match(await numbers('/Authors', tagged), [{ tagsCount: 1 }, { tagsCount: 1 }, { tagsCount: 0 }])
  t.match(
    await numbers('/Authors/1', { relation: 'books', scope: { include: { relation: 'reviews', count: true } } }),
    {
      books: [{ reviewsCount: 2 }, { reviewsCount: 0 }, { reviewsCount: 0 }]
    }
  )
  const [author] = await test.model('Author').find({ include: { relation: 'books', count: true } })
  t.match(author?.toJSON(), { booksCount: 3 })
  for (const include of [
    { relation: 'agent', count: true },
    { relation: 'books', count: true, scope: { limit: 1 } },
    { relation: 'books', count: true, scope: { where: { reviews: { gt: 1 } } } }
  ])
    t.equal(codeOf(await test.get('/Authors', { include })), 'INVALID_FILTER', JSON.stringify(include))
  const hidden = { relation: 'books', count: true, scope: { where: { notes: 'n' } } }
  t.equal(codeOf(await test.get('/Authors', { include: hidden })), 'HIDDEN_PROPERTY_IN_FILTER')
})

void t.test('the number of related records takes the name of no property', async (t) => {
  const test = await makeApp(t, [
    { name: 'Shop', properties: { salesCount: 'number' }, relations: { sales: { type: 'hasMany', model: 'Sale' } } },
    { name: 'Sale', properties: {} }
  ])
  await test.model('Shop').create({})
  const answer = await test.get('/Shops', { include: { relation: 'sales', count: true } })
  t.match([codeOf(answer), answer.body], ['INVALID_FILTER', { error: { message: /its own "salesCount"/ } }])
})

const recipes: readonly ModelDefinition[] = [
  {
    name: 'Recipe',
    properties: { name: 'string' },
    relations: {
      steps: { type: 'embedsMany', model: 'Step', property: 'stepList' },
      foods: { type: 'referencesMany', model: 'Food', foreignKey: 'foodIds' }
    }
  },
  { name: 'Step', properties: { text: 'string', minutes: 'number', secret: 'string' }, hidden: ['secret'] },
  { name: 'Food', properties: { name: 'string' } }
]

const cases: readonly [unknown, string][] = [
  [{ foods: { every: { name: 'salt' } } }, 'BCD'],
  [{ foods: { none: { name: 'egg' } } }, 'BCD']
]

/** Embedded records are not counted in a condition, and keys that were read say nothing of lists. */
const refused: readonly unknown[] = [
  { steps: { some: { text: 'x' } } },
  { steps: { none: { text: 'x' } } },
  { steps: { every: { text: 'y' } } },
  { steps: { count: 0 } },
  { steps: null },
  { nor: [{ steps: { every: { text: 'y' } } }] },
  { foods: { count: 1 } },
  { foods: { count: { gte: 1, where: { name: 'egg' } } } }
]

void t.test('embedded and referenced records are counted and quantified', async (t) => {
  const test = await makeApp(t, recipes)
  await test.model('Food').create([{ name: 'egg' }, { name: 'salt' }])
  await test.model('Recipe').create([
    {
      name: 'A',
      foodIds: [1, 2],
      stepList: [
        { id: 1, text: 'x', minutes: 5 },
        { id: 2, text: 'y', minutes: 9 }
      ]
    },
    { name: 'B', foodIds: [2, 77], stepList: [{ id: 1, text: 'y' }] },
    { name: 'C', foodIds: [], stepList: [] },
    { name: 'D' }
  ])
  for (const [where, expected] of cases)
    t.equal(titles(await test.get('/Recipes', { where })).join(''), expected, JSON.stringify(where))
  for (const where of refused)
    t.equal(codeOf(await test.get('/Recipes', { where })), 'INVALID_FILTER', JSON.stringify(where))
  t.strictSame(titles(await test.get('/Recipes', { order: ['foods.count DESC', 'name'] })), ['A', 'B', 'C', 'D'])
  t.strictSame(titles(await test.get('/Recipes', { order: ['steps.count', 'name DESC'] })), ['D', 'C', 'B', 'A'])
  const include = [
    { relation: 'foods', count: true },
    { relation: 'steps', count: true }
  ]
  t.match((await test.get('/Recipes', { include })).body, [
    { foodsCount: 2, stepsCount: 2 },
    { foodsCount: 1, stepsCount: 1 },
    { foodsCount: 0, stepsCount: 0 },
    {}
  ])
})
