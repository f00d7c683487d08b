import t from 'tap'
import type { Answer, Ask } from '#src/compare-answers.ts'
import { planRuns } from '#src/measure-run.ts'
import { others } from '#src/others/others.ts'
import { compareOther, planOther } from '#src/others/plan-other.ts'
import { workloads } from '#src/workloads.ts'

const planOf = (name: string, distinct = 1) => {
  const workload = workloads.find((each) => each.name === name)
  if (workload === undefined) throw new RangeError(name)
  return planRuns(workload, { rows: 100, distinct })
}
const pathOf = (name: keyof typeof others, workload: string): string | undefined =>
  planOther(others[name], planOf(workload))?.requests[0]?.path

t.test('each framework is asked in its own way, and not for what it cannot answer', async (t) => {
  t.equal(pathOf('loopback', 'W2'), planOf('W2').requests[0]?.path)
  t.match(
    pathOf('feathers', 'W2'),
    /^\/products\?price\[\$gte\]=\d+&price\[\$lte\]=\d+&inStock=true&\$sort\[price\]=-1&\$limit=20$/
  )
  t.match(pathOf('feathers', 'W7'), /inStock=true&\$limit=0$/)
  t.equal(pathOf('feathers', 'W4'), undefined)
  t.equal(planOther(others.feathers, planOf('W5'))?.workload.status, 201)
  t.match(
    pathOf('platformatic', 'W2'),
    /^\/products\?limit=20&offset=0&orderby\.price=desc&orderby\.id=asc&where\.price\.gte=\d+&where\.price\.lte=\d+&where\.inStock\.eq=true$/
  )
  for (const name of ['W4', 'W6', 'W7']) t.equal(pathOf('platformatic', name), '/graphql')
  for (const name of ['loopback', 'feathers', 'platformatic'] as const)
    t.equal(planOther(others[name], planOf('W9')), undefined, 'nobody leaves them')
})

const product = { id: 1, name: 'a', description: 'b', price: 3, inStock: true, category: 'c', stock: 4, tags: ['d'] }
const always =
  (body: unknown, status = 200): Ask =>
  async (): Promise<Answer> => ({ status, type: 'application/json', body })

t.test('answers may differ in form, not in records and their values', async (t) => {
  const list = planOf('W3')
  const page = (...data: readonly object[]) => ({ total: 100, limit: 100, skip: 0, data })
  const compare = (theirs: unknown) =>
    compareOther(others.feathers, list, { ours: always([product]), theirs: always(theirs) }, 1)
  await t.resolves(compare(page({ ...product, id: '1', more: true })))
  const wrong = [
    page(),
    page(product, product),
    page({ ...product, price: 4 }),
    page({ ...product, tags: [] }),
    [product]
  ]
  for (const body of wrong) await t.rejects(compare(body), { code: 'BENCH_ANSWERS_DIFFER', message: /Feathers 5/ })
})

t.test('reviews, counts and statuses are compared, too', async (t) => {
  const reviewed = (...texts: readonly string[]) => ({ ...product, reviews: texts.map((text) => ({ text })) })
  const include = (theirs: unknown) =>
    compareOther(
      others.platformatic,
      planOf('W4'),
      { ours: always([reviewed('x', 'y')]), theirs: always({ data: { products: theirs } }) },
      1
    )
  await t.resolves(include([reviewed('y', 'x')]))
  await t.rejects(include([reviewed('x')]), { code: 'BENCH_ANSWERS_DIFFER' })
  const count = (theirs: unknown, status?: number) =>
    compareOther(others.loopback, planOf('W7'), { ours: always({ count: 7 }), theirs: always(theirs, status) }, 1)
  await t.resolves(count({ count: 7 }))
  await t.rejects(count({ count: 8 }), { code: 'BENCH_ANSWERS_DIFFER' })
  await t.rejects(count({ count: 7 }, 201), { code: 'BENCH_ANSWERS_DIFFER' })
})
