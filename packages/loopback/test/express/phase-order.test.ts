import t from 'tap'
import { orderPhases, phaseRank } from '#src/express/middleware-entry.ts'

const usual = ['initial', 'session', 'auth', 'parse', 'routes', 'files', 'final']
const fileOf = (): string => 'server/middleware.json'

const orders: [string, string[], string[]][] = [
  ['nothing of its own', [], usual],
  ['phases with before and after', ['initial:before', 'routes', 'routes:after', 'final:after'], usual],
  ['a phase of its own behind another', ['initial', 'custom', 'routes'], ['initial', 'custom', ...usual.slice(1)]],
  ['a phase of its own at the start', ['custom', 'initial'], ['custom', ...usual]],
  ['before and after in any order', ['routes', 'routes:before', 'final'], usual]
]

for (const [name, keys, ordered] of orders) {
  void t.test(`orders ${name}`, async (t) => {
    t.strictSame(orderPhases(keys, fileOf), ordered)
  })
}

void t.test('refuses phases in the opposite order', async (t) => {
  t.throws(() => orderPhases(['final', 'routes'], fileOf), {
    code: 'MIDDLEWARE_PHASES_OUT_OF_ORDER',
    where: { file: 'server/middleware.json', key: 'routes' }
  })
})

void t.test('before comes before and after comes after', async (t) => {
  const ranks = ['routes:before', 'routes', 'routes:after', 'final:before'].map((key) => phaseRank(key, usual))
  t.strictSame(
    ranks,
    ranks.toSorted((one, other) => one - other)
  )
})
