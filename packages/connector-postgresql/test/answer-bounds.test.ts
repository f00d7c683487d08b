import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'
import { ask, type RowServer, listOf, startRowServer } from './fixtures/row-servers.ts'

const models = [
  {
    name: 'Author',
    public: true,
    strict: true,
    properties: { name: 'string' },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } }
  },
  {
    name: 'Book',
    public: true,
    strict: true,
    properties: { title: 'string' },
    relations: { author: { type: 'belongsTo', model: 'Author' } }
  }
]

/** Thirty books of three authors, and servers with bounds of their own. */
async function openBooks(t: Test) {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  await startRowServer(t, { url, models })
  await runOn(
    url,
    "insert into author (name) select 'author ' || n from generate_series(1, 3) n",
    "insert into book (title, authorid) select 'title of book ' || n, n % 3 + 1 from generate_series(1, 30) n"
  )
  return (answer: { records?: number; bytes?: number }) => startRowServer(t, { url, models, answer })
}

const lists = [
  { filter: {}, records: 30 },
  { filter: { include: 'author' }, records: 30 + 30 },
  { filter: { include: { relation: 'author', scope: { include: 'books' } } }, records: 30 + 30 + 300 },
  { filter: { limit: 2, include: { relation: 'author', scope: { include: 'books' } } }, records: 2 + 2 + 20 },
  {
    filter: { where: { title: 'title of book 7' }, include: { relation: 'author', scope: { include: 'books' } } },
    records: 1 + 1 + 10
  }
]

async function checkRefused(t: Test, server: RowServer, filter: object, option: string): Promise<void> {
  const refused = await ask(server, listOf('Books', filter))
  t.equal(refused.statusCode, 400)
  t.match(refused.body, new RegExp(`"ANSWER_TOO_LARGE"`))
  t.match(refused.body, option)
}

void t.test('an answer has as many records as it may have', async (t) => {
  const open = await openBooks(t)
  for (const { filter, records } of lists) {
    const enough = await ask(await open({ records }), listOf('Books', filter))
    t.match(enough, { statusCode: 200 }, JSON.stringify(filter))
    await checkRefused(t, await open({ records: records - 1 }), filter, 'answer.records')
    const bytes = Buffer.byteLength(enough.body)
    const room = await open({ bytes: bytes * 3 })
    t.equal((await ask(room, listOf('Books', filter))).body, enough.body)
    await checkRefused(t, await open({ bytes: bytes - 1 }), filter, 'answer.bytes')
  }
})
