import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writeResults } from '#src/keep-results.ts'
import { chooseSteps, openSteps } from '#src/report/run-report.ts'
import { callOf, type Step, steps } from '#src/report/steps.ts'

const origin = { machine: 'a machine', commit: 'abc', date: '2026-11-29' }
const flags = { short: false, again: false }
const two = chooseSteps(['memory', 'growth'])
const namesOf = (some: readonly Step[]): string[] => some.map(({ name }) => name)

t.test('every step is a command that can be measured, short or not, and has a name of its own', async (t) => {
  for (const step of steps) t.doesNotThrow(() => callOf(step, 'x.json', true), step.name)
  t.equal(new Set(namesOf(steps)).size, steps.length)
  for (const step of two) t.equal(callOf(step, 'x.json', true).options.pairs, 1)
  t.match(two.map((step) => callOf(step, 'x.json', false))[0], {
    command: 'load',
    options: { pairs: 5, connections: 16, json: 'x.json' }
  })
})

t.test('steps are chosen by name, and an unknown one is refused with the names that there are', async (t) => {
  t.same(namesOf(two), ['memory', 'growth'])
  t.equal(chooseSteps(undefined), steps)
  t.throws(() => chooseSteps(['memory', 'weather']), { code: 'BENCH_OPTION_INVALID', message: /"weather".*growth/ })
})

t.test('a second call measures what is not finished', async (t) => {
  const folder = t.testdir()
  const fileOf = ({ name }: Step): string => join(folder, `${name}.json`)
  const keep = (step: Step, done: boolean) =>
    writeResults(fileOf(step), { origin, options: callOf(step, fileOf(step), false).options, done, results: [] })
  t.same(namesOf(await openSteps(two, fileOf, flags, origin)), ['memory', 'growth'])
  for (const step of two) await keep(step, step.name === 'growth')
  t.same(namesOf(await openSteps(two, fileOf, flags, origin)), ['memory'])
  const [first] = two
  if (first !== undefined) await keep(first, true)
  t.same(await openSteps(two, fileOf, flags, origin), [])
})

t.test(
  'results of another commit, machine or other options are refused all at once, and dropped if that is asked for',
  async (t) => {
    const folder = t.testdir()
    const fileOf = ({ name }: Step): string => join(folder, `${name}.json`)
    for (const step of two)
      await writeResults(fileOf(step), {
        origin,
        options: callOf(step, fileOf(step), false).options,
        done: true,
        results: []
      })
    const other = { ...origin, commit: 'def' }
    await t.rejects(openSteps(two, fileOf, flags, other), {
      code: 'BENCH_OPTION_INVALID',
      message: /memory\.json[^]*growth\.json/
    })
    await t.rejects(openSteps(two, fileOf, flags, { ...origin, machine: 'other' }), { message: /other/ })
    await t.rejects(openSteps(two, fileOf, { short: true, again: false }, origin), {
      message: /growth\.json has no results of these/
    })
    t.ok(existsSync(join(folder, 'memory.json')), 'nothing is dropped without being asked')
    t.same(namesOf(await openSteps(two, fileOf, { short: false, again: true }, other)), ['memory', 'growth'])
    t.notOk(existsSync(join(folder, 'memory.json')))
  }
)
