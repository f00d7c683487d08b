import t from 'tap'
import { makeApp } from '../make-app.ts'
import { library } from '../library.ts'

/** Milliseconds of CPU time. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

void t.test('ten times as many parents cost about ten times as much', async (t) => {
  const test = await makeApp(t, library, { answer: { records: 100_000 } })
  const authors = Array.from({ length: 10_000 }, (_, at) => ({ name: `author ${at}` }))
  await test.model('Author').create(authors)
  await test.model('Book').create(authors.flatMap((_, at) => [{ authorId: at + 1 }, { authorId: at + 1 }]))
  const include = (limit: number) => measure(() => test.get('/Authors', { limit, include: 'books' }))
  await include(10_000)
  const small = Math.max(2, await include(1000))
  const large = await include(10_000)
  t.ok(large / small < 40, `1,000 parents: ${small.toFixed(1)} ms, 10,000: ${large.toFixed(1)} ms`)
})
