import t from 'tap'
import { differentSteps } from '#src/mongodb/compare-steps.ts'
import { explainDifferences } from '#src/mongodb/explain-mongodb.ts'
import { summariseAreas } from '#src/mongodb/summarise-areas.ts'
import type { Failure } from '#src/replay.ts'
import type { ScenarioResult } from '#src/replay-folder.ts'

const answer = (json: unknown, status = 200) => ({ status, type: 'application/json', headers: {}, json })

/** What was answered to a step that was recorded as an empty list. */
function failure(at: number, path: string, json: unknown, { status = 200, method = 'GET' } = {}): Failure {
  const exchange = { request: { method, path }, accepted: [answer([])], seen: answer(json, status) }
  return { at, step: path, why: 'it differs', exchange }
}

const result = (...failures: Failure[]): ScenarioResult => ({
  area: 'filter',
  file: 'filter/x.json',
  steps: 4,
  failures
})

t.test('steps are alike where both answer the same, whatever the wording, the ids and the tokens', async (t) => {
  const id = (digit: string) => digit.repeat(24)
  const error = (message: string) => ({ error: { statusCode: 500, message } })
  const one = result(
    failure(0, '/a', [{ id: id('a') }]),
    failure(1, '/b', error('no'), { status: 500 }),
    failure(2, '/c', 1)
  )
  const other = result(
    failure(0, '/a', [{ id: id('b') }]),
    failure(1, '/b', error('not'), { status: 500 }),
    failure(3, '/d', 1)
  )
  const steps = differentSteps(one, other)
  t.same(
    steps.map(({ isAlike, loopback, modelwire }) => [isAlike, loopback?.at, modelwire?.at]),
    [
      [true, 0, 0],
      [true, 1, 1],
      [false, 2, undefined],
      [false, undefined, 3]
    ]
  )
})

t.test(
  'conditions explain a difference, in JSON and in brackets; a changed record explains what follows',
  async (t) => {
    const causeOf = (...failures: Failure[]) =>
      explainDifferences(differentSteps(result(...failures), result())).map(({ cause }) => cause)
    const filter = (where: object): string => `/api/Items?filter=${JSON.stringify({ where, fields: ['id'] })}`
    t.same(causeOf(failure(0, filter({ name: { like: 'A%' } }), [1])), ['wildcards of like'])
    t.same(causeOf(failure(0, '/api/Items?filter[where][name][like]=A', [1])), ['wildcards of like'])
    t.same(causeOf(failure(0, filter({ name: null }), [1])), ['null and absent'])
    t.same(causeOf(failure(0, filter({ tags: ['iron'] }), [1])), ['a list or an empty object as a value'])
    t.same(causeOf(failure(0, filter({ name: { bogus: 1 } }), {}, { status: 500 })), ['unknown operators'])
    t.same(causeOf(failure(0, filter({ name: { inq: ['x'] } }), [1])), [undefined])
    const update = failure(0, '/api/Items/update?where={"name":{"like":"A%"}}', 1, { method: 'POST' })
    t.same(causeOf(update, failure(1, '/api/Items', [1])), ['wildcards of like', 'follows another write'])
  }
)

t.test('areas are summed up, and what nobody explains is shown', async (t) => {
  const loopback = result(failure(0, '/api/Items', [1]), failure(1, '/api/Items', [2]))
  const lines = summariseAreas([{ loopback, modelwire: result(failure(1, '/api/Items', [2])) }], [])
  t.match(lines[0], /^unexplained: filter\/x\.json/)
  t.equal(lines[1], 'filter: 4 steps, as recorded: LoopBack 2, Modelwire 3; 1 differ: 1 unexplained')
  t.match(lines[2], /^all areas: 4 steps/)
})
