import t from 'tap'
import type { ResultsFile } from '#src/keep-results.ts'
import { makePage, makeSentences, type Results } from '#src/report/write-page.ts'
import { callOf, steps } from '#src/report/steps.ts'

const origin = { machine: 'a machine', commit: 'abc', date: '2026-11-29' }
const run = (server: number, throughput: number) => ({ server, database: 0, generator: 1, throughput, p99: 2 })
const place = { database: undefined, tables: 'own', rows: 10_000 } as const
const line = (name: string, runs: object) => ({ name, title: `title of ${name}`, runs })
const load = (...lines: readonly object[]): unknown => [{ place, lines }]

const steady = { handwritten: [run(50, 2000), run(50, 2000)], modelwire: [run(100, 1000), run(100, 1000)] }
const shaky = { handwritten: [run(50, 2000), run(50, 2000)], modelwire: [run(100, 1000), run(200, 3000)] }

const resultsOf = (given: Readonly<Record<string, unknown>>, more: Partial<ResultsFile<unknown>> = {}): Results =>
  new Map(
    steps
      .filter(({ name }) => name in given)
      .map((step) => [
        step,
        { origin, options: callOf(step, '', false).options, done: true, results: given[step.name], ...more }
      ])
  )

t.test('a page names what was measured on, and what is missing; each picture is referred to', async (t) => {
  const others = { ...steady, loopback: [run(10_000, 10), run(10_000, 10)] }
  const results = resultsOf({
    memory: load(line('W1', steady)),
    'others-memory': load(line('W1', others), line('W2i', steady))
  })
  const { text, pictures } = makePage(results)
  t.match(text, /- a machine, commit abc, 2026-11-29\n/)
  t.match(text, /Not measured here: `postgresql`/)
  t.same(Object.keys(pictures).toSorted(), ['memory', 'others-memory', 'others-memory-cpu'])
  for (const name of Object.keys(pictures)) t.match(text, `(figures/${name}.svg)`)
  t.match(text, /\*\*LoopBack 3\*\* \(loopback 3\.28\.0\)/)
  t.match(text, /5 rounds of 1 s on 16 connections/)
  t.match(pictures['others-memory'], />LoopBack 3 10\.0\/s</)
  t.notMatch(pictures['others-memory'], /W2i/, 'only lines in which another framework took part')
})

t.test('what spreads too wide says so in the table and in the picture', async (t) => {
  const { text, pictures } = makePage(resultsOf({ memory: load(line('W1', shaky)) }))
  t.match(text, /150 ±33 %, not measured/)
  t.match(pictures['memory'], />Modelwire not measured ±33 %</)
  t.match(pictures['memory'], />hand-written 50\.0 µs</)
})

t.test('where commits differ the page tells which step is of which', async (t) => {
  const older = resultsOf({ growth: [] }, { origin: { ...origin, commit: 'old' } })
  const { text } = makePage(new Map([...resultsOf({ memory: load(line('W1', steady)) }), ...older]))
  t.match(text, /commit abc, 2026-11-29; of these: memory\n- a machine, commit old, 2026-11-29; of these: growth/)
})

t.test('on MongoDB the database does not count', async (t) => {
  const runs = {
    handwritten: [{ ...run(50, 2000), database: 5000 }],
    modelwire: [{ ...run(100, 1000), database: 5000 }]
  }
  const results = [
    { place: { database: 'mongodb', tables: 'own', rows: 120 }, version: 'X 1', lines: [line('W1', runs)] }
  ]
  const { text } = makePage(resultsOf({ mongodb: results }))
  t.match(text, /On X 1, with 120 products; the database is not counted/)
  t.match(text, /50\.0 ±0 % \| 100 ±0 % \| 0\.500 ±0 %/)
})

t.test('the README has the figures that are measured', async (t) => {
  const others = { ...steady, loopback: [run(10_000, 10), run(10_000, 10)] }
  const given = {
    memory: load(line('W1', steady)),
    postgresql: load(line('W4', shaky)),
    'others-memory': load(line('W1', others))
  }
  t.equal(
    makeSentences(resultsOf(given)),
    '- A read by id from memory takes **2 times** the CPU of a hand-written Fastify server.\n' +
      '- Reads by id from 10,000 in memory are answered **100 times** as fast as by LoopBack 3.'
  )
  t.equal(makeSentences(new Map()), '')
})
