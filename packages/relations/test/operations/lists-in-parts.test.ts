import t from 'tap'
import { makeApp, type TestApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

const models = library.map((model) =>
  model.name === 'Book' ? { ...model, scopes: { recent: { where: { year: { gt: 2010 } } } } } : model
)

const newBooks = 2500

async function fill(test: TestApp): Promise<TestApp> {
  await fillLibrary(test)
  await test
    .model('Book')
    .create(Array.from({ length: newBooks }, (_, at) => ({ title: `${at}`, year: 2020, authorId: 1 })))
  test.calls.length = 0
  return test
}

const paths: Readonly<Record<string, string>> = {
  'a list of a model': '/Books',
  'a list of a relation': '/Authors/1/books',
  'a list of a scope': '/Books/recent'
}

void t.test('long lists with included records are the same in parts, whose includes are read with them', async (t) => {
  const whole = await fill(await makeApp(t, models))
  const parted = await fill(await makeApp(t, models, { answer: { records: 1_000_000, bytes: 1_000_000_000 } }))
  const filter = { include: { relation: 'author', scope: { fields: ['name'] } } }
  for (const [what, path] of Object.entries(paths)) {
    const [expected, answer] = [await whole.get(path, filter), await parted.get(path, filter)]
    t.equal(answer.status, 200)
    t.strictSame(answer, expected, what)
  }
  const authors = ({ calls }: TestApp): number =>
    calls.filter(({ model, method }) => model === 'Author' && method === 'find').length
  t.ok(authors(parted) >= authors(whole) + 6, 'three parts each of three lists')
})

void t.test('an include that does not exist is refused before the first part', async (t) => {
  const test = await fill(await makeApp(t, models, { answer: { records: 1_000_000, bytes: 1_000_000_000 } }))
  t.equal((await test.get('/Books', { include: 'nothing' })).status, 400)
})
