import t from 'tap'
import { library } from '../library.ts'
import { makeApp, type TestApp, type TestOptions } from '../make-app.ts'

type Test = Parameters<typeof makeApp>[0]

const books = 60

/** One author of sixty books, with four tags. */
async function makeLibrary(t: Test, options: TestOptions = {}): Promise<TestApp> {
  const test = await makeApp(t, library, options)
  await test.model('Author').create({ name: 'Ann' })
  await test.model('Book').create(Array.from({ length: books }, (_, at) => ({ title: `book ${at}`, authorId: 1 })))
  await test.model('Tag').create(['a', 'b', 'c', 'd'].map((label) => ({ label })))
  await test.model('TagAuthor').create([1, 2, 3, 4].map((tagId) => ({ authorId: 1, tagId })))
  return test
}

/** There and back: books, their author, all books of that author, and so on. */
function thereAndBack(levels: number): object {
  const relation = levels % 2 === 0 ? 'author' : 'books'
  return levels === 1 ? { relation } : { relation, scope: { include: thereAndBack(levels - 1) } }
}

const tooLarge = (what: RegExp) => ({ error: { statusCode: 400, code: 'ANSWER_TOO_LARGE', message: what } })

const observed = async (test: TestApp): Promise<TestApp> => {
  for (const name of ['Author', 'Book']) test.model(name).observe('loaded', async () => {})
  return test
}

const ways: Record<string, (t: Test, options?: TestOptions) => Promise<TestApp>> = {
  rows: (t, options) => makeLibrary(t, options),
  'lists of keys': (t, options) => makeLibrary(t, { ...options, resolvesIncludes: true }),
  instances: async (t, options) => observed(await makeLibrary(t, options)),
  "LoopBack's ways": (t, options) => makeLibrary(t, { ...options, compat: true })
}

for (const [way, make] of Object.entries(ways)) {
  void t.test(`${way}: an include there and back is refused as soon as it multiplies`, async (t) => {
    const test = await make(t)
    const { status, body } = await test.get('/Books', { include: thereAndBack(8) })
    t.equal(status, 400)
    t.match(body, tooLarge(/more than 10000 records.*"answer\.records"/))
    t.equal((await test.get('/Books', { limit: 1, include: thereAndBack(8) })).status, 400, 'from one book as well')
    t.equal((await test.get('/Books/1', { include: thereAndBack(6) })).status, 400, 'and below one')
  })

  void t.test(`${way}: records count as often as they lie in an answer`, async (t) => {
    const include = thereAndBack(2)
    const count = books * (1 + 1 + books)
    const enough = await make(t, { answer: { records: count } })
    const { status, body } = await enough.get('/Books', { include })
    t.equal(status, 200)
    t.equal(JSON.stringify(body).match(/"title"/g)?.length, books * (1 + books))
    const few = await make(t, { answer: { records: count - 1 } })
    t.match((await few.get('/Books', { include })).body, tooLarge(/more than 3719 records/))
    t.equal((await few.get('/Books', { include, limit: 59 })).status, 200)
  })
}

void t.test('lists and related records are bounded on every route that reads', async (t) => {
  const test = await makeLibrary(t, { answer: { records: 60 } })
  for (const path of ['/Books', '/Authors/1/books', '/Authors/1/tags?filter={"include":"authors"}'])
    t.equal((await test.get(path)).status, 200, path)
  await test.send('POST', '/Books', { title: 'one more', authorId: 1 })
  for (const path of ['/Books', '/Authors/1/books', '/Authors?filter={"include":"books"}'])
    t.match(await test.get(path), { status: 400, body: tooLarge(/more than 60 records/) }, path)
  for (const path of ['/Books?filter={"limit":60}', '/Books/count', '/Books?filter={"where":{"title":"book 1"}}'])
    t.equal((await test.get(path)).status, 200, path)
})

void t.test('records between and listed ones are bounded', async (t) => {
  const test = await makeLibrary(t, { answer: { records: 5 } })
  t.equal((await test.get('/Authors', { include: 'tags' })).status, 200)
  t.match((await test.get('/Authors', { include: ['tags', 'agent'] })).status, 200)
  const deeper = { relation: 'tags', scope: { include: 'authors' } }
  t.match(await test.get('/Authors', { include: deeper }), { status: 400, body: tooLarge(/5 records/) })
  await test.model('Tag').create({ label: 'e' })
  await test.model('TagAuthor').create({ authorId: 1, tagId: 5 })
  t.match(await test.get('/Authors', { include: 'tags' }), { status: 400, body: tooLarge(/5 records/) })
})

void t.test('texts are bounded while they are written, whatever the format', async (t) => {
  const test = await makeLibrary(t, { answer: { bytes: 20_000 } })
  t.equal((await test.get('/Books')).status, 200)
  for (const path of ['/Books?filter={"include":"author"}', '/Books?filter={"include":{"relation":"author"}}'])
    t.equal((await test.get(path)).status, 200, path)
  const large = `filter=${JSON.stringify({ include: thereAndBack(2) })}`
  for (const asked of [`/Books?${large}`, `/Books?${large}&callback=f`, `/Books?${large}&_format=xml`]) {
    const { statusCode, body } = await test.app.inject(`/api${asked}`)
    t.equal(statusCode, 400, asked)
    t.match(body, /ANSWER_TOO_LARGE[^]*20000 bytes|20000 bytes[^]*ANSWER_TOO_LARGE/, asked)
  }
})

void t.test('the tags of XML take room as well', async (t) => {
  const test = await makeLibrary(t, { answer: { bytes: 5000 } })
  t.equal((await test.app.inject('/api/Books')).statusCode, 200)
  t.equal((await test.app.inject('/api/Books?_format=xml')).statusCode, 400)
})

void t.test('characters count by their bytes', async (t) => {
  const test = await makeApp(t, library, { answer: { bytes: 400 } })
  const create = (title: string) => test.model('Book').create({ title })
  await create('x'.repeat(200))
  t.equal((await test.get('/Books')).status, 200)
  await test.model('Book').updateAll({}, { title: '€'.repeat(200) })
  t.match((await test.get('/Books')).body, tooLarge(/400 bytes/))
})

void t.test('what a client stores is answered, whatever its size', async (t) => {
  const test = await makeApp(t, library, { answer: { records: 2, bytes: 10 } })
  const posted = await test.send('POST', '/Books', [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  t.match(posted, { status: 200, body: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] })
  t.equal((await test.send('PATCH', '/Books/1', { title: 'd' })).status, 200)
})

void t.test('code of the application reads without bounds', async (t) => {
  const test = await makeLibrary(t, { answer: { records: 10 } })
  const found = await test.model('Book').find({ include: thereAndBack(4) })
  t.match(found, { length: books })
})

void t.test('bounds must be whole numbers above 0', async (t) => {
  for (const answer of [{ records: 0 }, { bytes: -1 }, { records: 1.5 }, { rows: 1 }, { records: '1' }])
    await t.rejects(
      makeApp(t, library, { answer: answer as object }),
      { code: 'OPTION_INVALID' },
      JSON.stringify(answer)
    )
})
