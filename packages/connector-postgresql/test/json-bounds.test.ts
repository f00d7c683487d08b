import { constants } from 'node:buffer'
import { ModelRegistry } from '@modelwire/core'
import type { AnswerBounds, Collection, Filter, JsonShape, ModelType } from '@modelwire/core/connector'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'

const megabyte = 1024 * 1024
const list: Filter = { order: [], skip: 0 }

const within = (rows: number, bytes = 64 * megabyte): AnswerBounds => ({
  rows,
  bytes,
  options: { rows: 'most.rows', bytes: 'most.bytes' }
})

const refused = (exceeded: 'rows' | 'bytes') => ({ code: 'ANSWER_TOO_LARGE', statusCode: 400, exceeded })

/** 300 books of one author each, and 10 authors; asking for their JSON, with their authors, or with authors and books in turn. */
async function openBooks(t: Test) {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const registry = new ModelRegistry()
  const statements: string[] = []
  const connector = postgresql({ url, onStatement: (text: string) => statements.push(text) })
  t.teardown(() => registry.disconnect())
  registry.addDataSource('db', connector)
  const id = { type: 'number', id: true }
  registry.define({ name: 'Book', strict: true, properties: { id, authorId: 'number', text: 'string' } })
  registry.define({ name: 'Author', strict: true, properties: { id, name: 'string' } })
  for (const name of ['Book', 'Author']) registry.attach(name, 'db')
  const [book, author] = [registry.typeOf('Book'), registry.typeOf('Author')]
  await connector.migrate?.([book, author], { empty: true })
  await runOn(
    url,
    'insert into author select n, n::text from generate_series(1, 10) n',
    "insert into book select n, n % 10 + 1, 'text of book ' || n from generate_series(1, 300) n"
  )
  const ask = async (filter: Partial<Filter>, depth = 0, single = false) =>
    findJson(book)({
      filter: { ...list, ...filter },
      single,
      shape: shapeOf(book, depth === 0 ? [authorOf(author)] : withAuthors(book, author, depth))
    })
  return { connector, statements, book, author, ask }
}

function findJson({ collection }: ModelType): NonNullable<Collection['findJson']> {
  if (collection?.findJson === undefined) throw new Error('it writes no JSON')
  return collection.findJson.bind(collection)
}

const shapeOf = ({ properties }: ModelType, related: JsonShape['related'] = []): JsonShape => ({
  properties,
  undeclared: false,
  related
})

const authorOf = (author: ModelType, related: JsonShape['related'] = []): JsonShape['related'][number] => ({
  name: 'author',
  model: author,
  keyFrom: 'authorId',
  keyTo: 'id',
  many: false,
  filter: list,
  shape: shapeOf(author, related)
})

/** Each book with its author, with all of their books, with their author … */
function withAuthors(book: ModelType, author: ModelType, depth: number): JsonShape['related'] {
  if (depth === 0) return []
  const books = shapeOf(book, withAuthors(book, author, depth - 1))
  const below = { name: 'books', model: book, keyFrom: 'id', keyTo: 'authorId', many: true, filter: list, shape: books }
  return [authorOf(author, [below])]
}

void t.test('within its bounds a text is the same, beyond them it is refused', async (t) => {
  const { ask } = await openBooks(t)
  const whole = await ask({})
  t.equal(JSON.parse(whole ?? '[]').length, 300)
  const bytes = Buffer.byteLength(whole ?? '')
  t.equal(await ask({ atMost: within(600, bytes) }), whole, 'just within')
  t.equal(await ask({ atMost: within(Infinity, Infinity) }), whole)
  await t.rejects(ask({ atMost: within(599) }), refused('rows'))
  await t.rejects(ask({ atMost: within(600, bytes - 1) }), refused('bytes'))
  await t.rejects(ask({ atMost: within(Infinity, bytes - 1) }), refused('bytes'))
  const page = { limit: 5, skip: 20 }
  t.equal(await ask({ ...page, atMost: within(10) }), await ask(page), 'a page')
  t.equal(await ask({ limit: 50, skip: 298, atMost: within(4) }), await ask({ skip: 298 }), 'the last page')
  await t.rejects(ask({ ...page, atMost: within(9) }), refused('rows'))
})

void t.test('so is the text of one record', async (t) => {
  const { ask } = await openBooks(t)
  const whole = await ask({ limit: 1 }, 1, true)
  const bytes = Buffer.byteLength(whole ?? '')
  t.equal(JSON.parse(whole ?? '{}').author.books.length, 30)
  t.equal(await ask({ limit: 1, atMost: within(32, bytes) }, 1, true), whole, 'a book, its author, and 30 books')
  await t.rejects(ask({ limit: 1, atMost: within(32, bytes - 1) }, 1, true), refused('bytes'))
  await t.rejects(ask({ limit: 1, atMost: within(31) }, 1, true), refused('rows'))
})

void t.test('related records count as often as they are written', async (t) => {
  const { ask } = await openBooks(t)
  const whole = await ask({ limit: 20 }, 1)
  t.equal(await ask({ limit: 20, atMost: within(640) }, 1), whole, '20 books, each with its author and 30 books')
  await t.rejects(ask({ limit: 20, atMost: within(639) }, 1), refused('rows'))
  const bytes = Buffer.byteLength(whole ?? '')
  t.equal(await ask({ limit: 20, atMost: within(640, bytes) }, 1), whole)
  await t.rejects(ask({ limit: 20, atMost: within(640, bytes - 1) }, 1), refused('bytes'))
})

void t.test('includes there and back do not make the database multiply', async (t) => {
  const { ask, connector } = await openBooks(t)
  for (const depth of [3, 5, 8]) {
    const begin = performance.now()
    await t.rejects(ask({ limit: 30, atMost: within(10_000) }, depth), refused('rows'))
    await t.rejects(ask({ limit: 30, atMost: within(Infinity, megabyte) }, depth), refused('bytes'))
    t.ok(performance.now() - begin < 10_000, `${depth} times: 30 ** ${depth} books were not written`)
  }
  await connector.ping()
})

void t.test('what a through model joins is bounded, and so is each list that is cut by itself', async (t) => {
  const { author, book } = await openBooks(t)
  const related = { name: 'books', model: book, keyFrom: 'id', keyTo: 'authorId', many: true, shape: shapeOf(book) }
  const ask = async (limit: number, rows: number) =>
    findJson(author)({
      filter: { ...list, atMost: within(rows) },
      single: false,
      shape: shapeOf(author, [{ ...related, filter: { ...list, limit } }])
    })
  t.equal(JSON.parse((await ask(3, 40)) ?? '[]').length, 10)
  await t.rejects(ask(3, 39), refused('rows'))
  const joined = { ...related, keyTo: 'id', filter: list }
  const through = { model: book, keyFrom: 'authorId', keyTo: 'id', filter: list }
  const asked = async (rows: number) =>
    findJson(author)({
      filter: { ...list, atMost: within(rows) },
      single: false,
      shape: shapeOf(author, [{ ...joined, through }])
    })
  t.equal(JSON.parse((await asked(310)) ?? '[]')[0].books.length, 30)
  await t.rejects(asked(309), refused('rows'))
})

void t.test('no text is sent that is longer than a text of the process can be, bounds or not', async (t) => {
  const { ask, statements } = await openBooks(t)
  const longest = new RegExp(`octet_length\\(\\S+ ?[^)]*\\) > ${constants.MAX_STRING_LENGTH} then`)
  for (const filter of [{}, { limit: 1, atMost: within(Infinity, Infinity) }]) {
    statements.length = 0
    await ask(filter)
    t.match(statements.at(-1), longest)
  }
})
