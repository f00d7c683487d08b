import t from 'tap'
import { parseOptions } from '#src/options.ts'

t.test('without arguments all workloads are measured with the defaults', async (t) => {
  const options = parseOptions([])
  t.match(options, { command: 'load', pairs: 7, connections: 16, seconds: 1, rows: 10_000, distinct: 1000 })
  t.same(
    options.workloads.map(({ name }) => name),
    ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8', 'W9']
  )
})

t.test('options are read as numbers, lists and names', async (t) => {
  const options = parseOptions(['growth', '--sizes', '10,20', '--pairs', '3', '--json', 'out.json'])
  t.match(options, { command: 'growth', sizes: [10, 20], pairs: 3, json: 'out.json' })
})

t.test('workloads are chosen by name, in any case and order', async (t) => {
  const names = parseOptions(['--workloads', 'w5, W1']).workloads.map(({ name }) => name)
  t.same(names, ['W1', 'W5'])
})

t.test('records may be in several places, one after the other', async (t) => {
  const { places } = parseOptions(['--database', 'postgresql,mysql', '--tables', 'own,loopback'])
  t.same(
    places.map(({ database, tables }) => `${database} ${tables}`),
    ['postgresql own', 'postgresql loopback', 'mysql own', 'mysql loopback']
  )
  t.same(parseOptions([]).places, [{ database: undefined, tables: 'own', rows: 10_000 }])
})

t.test('on a MongoDB server of the tests less is measured, unless it is said', async (t) => {
  const usual = parseOptions([]).rows
  const own = parseOptions(['--database', 'mongodb']).rows
  if (process.env['MODELWIRE_MONGODB_URL'] === undefined) t.ok(own < usual)
  else t.equal(own, usual)
  t.equal(parseOptions(['--database', 'mongodb', '--rows', '7']).rows, 7)
})

t.test('other frameworks take part where their records are', async (t) => {
  t.same(parseOptions(['--others', 'loopback, feathers']).others, ['loopback', 'feathers'])
  t.same(parseOptions(['--database', 'memory,postgresql', '--others', 'platformatic']).others, ['platformatic'])
})

t.test('a report has steps, and ways to go about them', async (t) => {
  t.match(parseOptions(['report']), { command: 'report', steps: undefined, draw: false, again: false, short: false })
  t.match(parseOptions(['report', '--steps', 'growth, memory', '--draw', '--again', '--short']), {
    steps: ['growth', 'memory'],
    draw: true,
    again: true,
    short: true
  })
})

const wrong: readonly (readonly [string, string[]])[] = [
  ['an unknown option', ['--pears', '3']],
  ['an option without its value', ['--pairs']],
  ['a number that is none', ['--pairs', 'many']],
  ['a number below 1', ['--rows', '0']],
  ['a fraction', ['--requests', '1.5']],
  ['an unknown workload', ['--workloads', 'W1,W99']],
  ['an unknown command', ['shrink']],
  ['tables of nobody', ['--database', 'postgresql', '--tables', 'other']],
  ['tables of LoopBack without a database', ['--tables', 'loopback']],
  ['tables of LoopBack in a database without tables', ['--database', 'mongodb', '--tables', 'loopback']],
  ['another framework that is unknown', ['--others', 'rails']],
  ['another framework where its records are not', ['--others', 'platformatic']],
  [
    'another framework in tables of LoopBack',
    ['--database', 'postgresql', '--tables', 'loopback', '--others', 'platformatic']
  ],
  ['a database that is none', ['--database', 'toString']],
  ['no place at all', ['--database', '']],
  ['two commands', ['growth', 'start']]
]
for (const [what, args] of wrong) {
  t.test(`${what} is refused`, async (t) => {
    t.throws(() => parseOptions(args), { code: 'BENCH_OPTION_INVALID' })
  })
}
