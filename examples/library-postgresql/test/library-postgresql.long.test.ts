import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { planMigration } from '@modelwire/core'
import t, { type Test } from 'tap'
import { models } from '#src/models.ts'
import { startLibrary } from '#src/start-library.ts'
import { freePort, startProgram } from './start-program.ts'

// A database server may have to be started first, on a machine that may have other things to do.
const timeout = 120_000

/** Both servers on a database of their own. */
async function start(t: Test) {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const library = await startLibrary(database.url)
  t.teardown(() => library.close())
  return { ...library, url: database.url, servers: [library.project, library.folder] }
}

t.test('the tables suit both descriptions, and an empty library alone is filled', { timeout }, async (t) => {
  const { servers, steps, project, url } = await start(t)
  t.ok(steps.includes('fill the empty library'))
  for (const server of servers)
    t.strictSame(
      (await planMigration(server.models)).flatMap((plan) => plan.steps),
      []
    )
  await project.models.Member.destroyAll()
  const again = await startLibrary(url)
  t.teardown(() => again.close())
  t.strictSame(again.steps, [])
  t.equal(await again.project.models.Member.count(), 0)
})

const questions = [
  'Books?filter[include]=author&filter[order]=year',
  'Authors?filter[include]=books&filter[order]=id',
  'Members?filter[include]=loans&filter[order]=name',
  'Loans?filter[include]=book&filter[include]=member',
  'Books/1/loans',
  'Members/1/loans/count'
]

t.test('both servers show the same records, whichever wrote them', { timeout }, async (t) => {
  const { project, folder } = await start(t)
  for (const name of Object.keys(models))
    t.equal(folder.models.typeOf(name).httpPath, project.models.typeOf(name).httpPath)
  const post = { method: 'POST', url: '/api/Authors', payload: { name: 'Tove Jansson', born: 1914 } } as const
  for (const server of [project, folder]) t.equal((await server.inject(post)).statusCode, 200)
  const lent = await folder.inject({ method: 'POST', url: '/api/Books/1/lend', payload: { memberId: 1 } })
  t.match(lent.json(), { bookId: 1, memberId: 1, lent: /^\d{4}-/ })
  for (const question of questions) {
    const [one, other] = [await project.inject(`/api/${question}`), await folder.inject(`/api/${question}`)]
    t.equal(one.statusCode, 200, question)
    t.same(other.json(), one.json(), question)
  }
})

t.test('of twenty who want a book at once one gets it', { timeout }, async (t) => {
  const { servers, project } = await start(t)
  for (const round of [1, 2, 3]) {
    const asks = Array.from({ length: 20 }, async (_, index) =>
      servers[index % 2]?.inject({ method: 'POST', url: '/api/Books/4/lend', payload: { memberId: 1 + (index % 3) } })
    )
    const answers = await Promise.all(asks)
    const refused = answers.filter((answer) => answer?.statusCode !== 200)
    t.equal(refused.length, 19)
    for (const answer of refused) t.match(answer?.json(), { error: { statusCode: 409, code: 'BOOK_LENT' } })
    t.equal(await project.models.Loan.count({ bookId: 4 }), round)
    const back = await servers[round % 2]?.inject({ method: 'POST', url: '/api/Books/4/return' })
    t.equal(back?.statusCode, 204)
  }
})

t.test('a refused loan leaves nothing behind', { timeout }, async (t) => {
  const { servers, project } = await start(t)
  for (const server of servers) {
    const lend = (memberId: number) =>
      server.inject({ method: 'POST', url: '/api/Books/5/lend', payload: { memberId } })
    t.match((await lend(99)).json(), { error: { statusCode: 422, code: 'CONSTRAINT_VIOLATED' } })
    t.match((await server.inject({ method: 'POST', url: '/api/Books/5/return' })).json(), {
      error: { statusCode: 409, code: 'BOOK_NOT_LENT' }
    })
    t.equal((await project.models.Book.findById(5))?.lastMoved ?? null, null)
  }
})

const byHand = [
  { method: 'POST', url: '/api/Loans', payload: { bookId: 1, memberId: 1 } },
  { method: 'PATCH', url: '/api/Loans/1', payload: { returned: '2027-01-04' } },
  { method: 'DELETE', url: '/api/Loans/1' },
  { method: 'POST', url: '/api/Books/1/loans', payload: { memberId: 1 } },
  { method: 'DELETE', url: '/api/Members/1/loans' },
  { method: 'PUT', url: '/api/Members/1/loans/1', payload: { returned: '2027-01-04' } }
] as const

t.test('loans are not written by hand', { timeout }, async (t) => {
  const { servers, project } = await start(t)
  await project.inject({ method: 'POST', url: '/api/Books/1/lend', payload: { memberId: 1 } })
  const loans = await project.models.Loan.find()
  for (const server of servers)
    for (const request of byHand) t.equal((await server.inject(request)).statusCode, 404, request.url)
  t.same(await project.models.Loan.find(), loans)
})

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const missing = ['bash', 'curl', 'sort', 'uniq'].filter((tool) => spawnSync('which', [tool]).status !== 0)
const skip = missing.length > 0 && `needs ${missing.join(', ')}`

t.test('the commands of the walk-through do what it says', { timeout, skip }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const name = `${new URL(database.url).pathname.slice(1)}_library`
  t.teardown(async () => void (await runOn(database.url, `drop database if exists ${name} with (force)`)))
  const [project, folder] = [String(await freePort()), String(await freePort())]
  const program = startProgram(t, {
    MODELWIRE_POSTGRESQL_URL: database.url,
    LIBRARY_DATABASE: name,
    PROJECT_PORT: project,
    FOLDER_PORT: folder
  })
  t.match(await program.says(/Application folder: .*\n/), /fill the empty library\n/)
  const script = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, lines = '']) => lines)
    .join('echo ---\n')
    .replaceAll('3000', project)
    .replaceAll('3001', folder)
  const { stdout } = spawnSync('bash', ['-euc', script], { encoding: 'utf8' })
  const [read = '', isbn, lend, back, crowd, refused] = stdout.split('---\n')
  const [one, other] = read.split('\n')
  t.match(one, /"title":"The Left Hand of Darkness".*"author":\{"name":"Ursula K. Le Guin"/)
  t.equal(other, one)
  t.match(isbn, /"isbn":"9780811216029".*\n.*"statusCode":409.*\n/)
  t.match(lend, /"memberId":1.*\n.*"code":"BOOK_LENT".*\n/)
  t.match(back, /^204\n.*"book":\{.*"member":\{.*"name":"Ann Berger"/)
  t.match(crowd, /^ *1 200\n *19 409\n$/)
  t.match(refused, /"code":"CONSTRAINT_VIOLATED".*\n.*"code":"CONSTRAINT_VIOLATED".*\n/)
  t.equal(await program.stop(), 0, 'it ends when it is asked to')
})
