import t from 'tap'
import { codeOf, makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

const bad: readonly [unknown, string][] = [
  ['nothing', 'RELATION_UNKNOWN'],
  [['books', 'nothing'], 'RELATION_UNKNOWN'],
  [{ books: 'nothing' }, 'RELATION_UNKNOWN'],
  [{ relation: 'nothing' }, 'RELATION_UNKNOWN'],
  [{ relation: 5 }, 'RELATION_UNKNOWN'],
  [{ scope: {} }, 'RELATION_UNKNOWN'],
  [['books', ''], 'RELATION_UNKNOWN'],
  [['books', null], 'RELATION_UNKNOWN'],
  ['constructor', 'RELATION_UNKNOWN'],
  ['toString', 'RELATION_UNKNOWN'],
  [{ relation: 'books', scope: { where: 'x' } }, 'INVALID_FILTER'],
  [{ relation: 'books', scope: { limit: 'x' } }, 'INVALID_FILTER']
]

void t.test('an include that means nothing is a 400', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  for (const [include, code] of bad) {
    const answer = await test.get('/Authors', { include })
    t.strictSame([answer.status, codeOf(answer)], [400, code], JSON.stringify(include))
  }
})

const spellings: readonly unknown[] = [
  'books',
  ['books'],
  { books: true },
  { books: {} },
  { relation: 'books' },
  { rel: 'books' },
  [{ relation: 'books', scope: {} }],
  [['books']],
  { relation: 'books', scope: 'x' }
]

void t.test('every spelling of one include gives the same', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const expected = await test.get('/Authors', { include: 'books' })
  for (const include of spellings)
    t.strictSame(await test.get('/Authors', { include }), expected, JSON.stringify(include))
})

void t.test('brackets say the same as JSON', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const query = 'filter[include][0][relation]=books&filter[include][0][scope][where][title]=A&filter[include][]=agent'
  const { body } = await test.get(`/Authors?${query}`)
  t.match(body, [{ books: [{ title: 'A' }] }, { books: [], agent: { phone: '1' } }, { books: [] }])
})

/** `{ books: { author: { books: … } } }`, so many levels deep. */
function circle(levels: number): unknown {
  let include: unknown = levels % 2 === 0 ? 'author' : 'books'
  for (let level = levels - 1; level > 0; level--) include = { [level % 2 === 0 ? 'author' : 'books']: include }
  return include
}

void t.test('a circle of includes ends where the options say', async (t) => {
  const test = await makeApp(t, library, { options: { includeDepth: 3 } })
  await fillLibrary(test)
  t.equal((await test.get('/Authors', { include: circle(3) })).status, 200)
  const tooDeep = await test.get('/Authors', { include: circle(4) })
  t.strictSame([tooDeep.status, codeOf(tooDeep)], [400, 'LIMIT_EXCEEDED'])
})

void t.test('twenty levels are too many without any option', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.equal(codeOf(await test.get('/Authors', { include: circle(20) })), 'LIMIT_EXCEEDED')
  t.equal(codeOf(await test.get('/Authors/1/books', { include: circle(20) })), 'LIMIT_EXCEEDED')
})

void t.test('so are more relations than the options allow', async (t) => {
  const test = await makeApp(t, library, { options: { includeCount: 2 } })
  await fillLibrary(test)
  t.equal((await test.get('/Authors', { include: ['books', 'agent'] })).status, 200)
  t.equal(codeOf(await test.get('/Authors', { include: ['books', 'agent', 'tags'] })), 'LIMIT_EXCEEDED')
})

void t.test('a relation that disables include is silently absent', async (t) => {
  const [author, ...others] = library
  const books = { type: 'hasMany', model: 'Book', options: { disableInclude: true } }
  const test = await makeApp(t, [{ ...author, name: 'Author', relations: { ...author?.relations, books } }, ...others])
  await fillLibrary(test)
  t.strictSame((await test.get('/Authors/1', { include: 'books' })).body, { name: 'Ann', id: 1 })
  t.equal((await test.get('/Authors/1/books')).status, 200)
})
