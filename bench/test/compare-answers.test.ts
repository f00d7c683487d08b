import t from 'tap'
import { compareAnswers, type Answer, type Ask } from '#src/compare-answers.ts'
import type { Workload } from '#src/workloads.ts'

const request = { method: 'GET', path: '/api/Products/1' } as const
const workload: Workload = { name: 'W0', title: 'test', makeRequest: () => request, status: 200 }
const answer: Answer = { status: 200, type: 'application/json; charset=utf-8', body: { id: 1, tags: ['a', 'b'] } }
const always =
  (given: Answer): Ask =>
  async () =>
    given
const compare = (left: Answer, right: Answer) =>
  compareAnswers(workload, [request], { left: always(left), right: always(right) })

t.test('servers that answer alike pass', async (t) => {
  await t.resolves(compare(answer, structuredClone(answer)))
})

const planted: readonly (readonly [string, Answer, string])[] = [
  ['another status', { ...answer, status: 201 }, '/status'],
  ['another content type', { ...answer, type: 'application/json' }, '/type'],
  ['another value deep inside', { ...answer, body: { id: 1, tags: ['a', 'c'] } }, '/body/tags/1'],
  ['another type of value', { ...answer, body: { id: '1', tags: ['a', 'b'] } }, '/body/id'],
  ['a property too much', { ...answer, body: { id: 1, tags: ['a', 'b'], more: null } }, '/body/more'],
  ['a property too few', { ...answer, body: { id: 1 } }, '/body/tags']
]
for (const [what, other, place] of planted) {
  t.test(`${what} is noticed and told`, async (t) => {
    await t.rejects(compare(answer, other), { code: 'BENCH_ANSWERS_DIFFER', message: place })
  })
}

t.test('an answer that both give with the wrong status is noticed', async (t) => {
  const missing = { ...answer, status: 404 }
  await t.rejects(compare(missing, missing), { code: 'BENCH_ANSWERS_DIFFER' })
})

const error = (message: string, code: string): Answer => ({ ...answer, body: { error: { message, code } } })

t.test('the wording of errors is free, and nothing else of them', async (t) => {
  await t.resolves(compare(error('one', 'X'), error('other', 'X')))
  await t.rejects(compare(error('one', 'X'), error('one', 'Y')), { code: 'BENCH_ANSWERS_DIFFER' })
})

const made = (id: unknown): Ask => always({ ...answer, body: { id, name: 'a' } })

t.test('texts that servers make as ids are free, numbers that count are not', async (t) => {
  const create = { ...workload, makesIds: true }
  await t.resolves(compareAnswers(create, [request], { left: made('ab'), right: made('cd') }))
  const others: readonly unknown[] = ['abc', 1, undefined]
  for (const other of others)
    await t.rejects(compareAnswers(create, [request], { left: made('ab'), right: made(other) }), {
      message: '/body/id'
    })
  await t.rejects(compareAnswers(create, [request], { left: made(1), right: made(2) }), { message: '/body/id' })
  await t.rejects(compareAnswers(workload, [request], { left: made('ab'), right: made('cd') }), { message: '/body/id' })
})
