import { isDeepStrictEqual } from 'node:util'
import type { ModelDefinition } from '@modelwire/core'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { makeApp, type TestApp } from '../make-app.ts'

/** Things with parts, each of which hides something at every level, and that lead to each other. */
const models: readonly ModelDefinition[] = [
  {
    name: 'Thing',
    properties: { label: 'string', secret: { type: 'number', hidden: true }, nextId: 'number' },
    aggregate: true,
    relations: {
      next: { type: 'belongsTo', model: 'Thing', foreignKey: 'nextId' },
      others: { type: 'hasMany', model: 'Thing', foreignKey: 'nextId' },
      part: { type: 'embedsOne', model: 'Part', property: '_part' },
      parts: { type: 'embedsMany', model: 'Part', property: '_parts' }
    }
  },
  {
    name: 'Part',
    public: false,
    dataSource: null,
    properties: {
      id: { type: 'number', id: true, generated: false },
      label: 'string',
      secret: 'number',
      shy: 'number'
    },
    hidden: ['secret'],
    protected: ['shy'],
    relations: { inner: { type: 'embedsOne', model: 'Part', property: '_inner' } }
  }
]

/** A world whose hidden values come in the order of `values`; all else is the same in each. */
async function makeWorld(t: Test, values: readonly number[]): Promise<TestApp> {
  const world = await makeApp(t, models)
  const partOf = (secret: number): object => ({ id: 1, label: 'p', secret, shy: secret })
  const rows = values.map((secret, at) => ({
    label: `t${at}`,
    secret,
    nextId: ((at + 1) % values.length) + 1,
    _part: { ...partOf(secret), _inner: partOf(secret) },
    _parts: [{ ...partOf(secret), _inner: partOf(secret) }]
  }))
  await world.model('Thing').create(rows)
  return world
}

const spelled = (name: string) => fc.constantFrom(name, name, name, name.toUpperCase(), `${name}.0`, `0.${name}`)
const along = fc.constantFrom('next', 'next', 'next', 'others')
const embedded = fc.constantFrom('_part', '_part', 'part', '_parts', '_parts.0', 'parts')
const within = fc.constantFrom('_inner', 'inner')
const leaf = fc.constantFrom('secret', 'shy').chain(spelled)
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.array(arbitrary, { maxLength: 1 })

/** A path to what is hidden, mostly: along a relation, into parts, and into theirs. */
const path = fc
  .tuple(maybe(along), maybe(embedded), maybe(within), fc.option(leaf, { freq: 9, nil: 'label' }))
  .map(([first, part, inner, last]) => [...first, ...part, ...(part.length === 0 ? [] : inner), last])

const test = fc.constantFrom<unknown>(
  1,
  2,
  null,
  { gt: 1 },
  { lt: 3 },
  { inq: [1, 4] },
  { between: [1, 2] },
  { neq: 2 }
)

/** The path written with dots, or as objects within each other from some place on. */
const condition = fc.tuple(path, test, fc.nat(3)).map(([steps, value, at]) => {
  const [outer, inner] = [steps.slice(0, at), steps.slice(at)]
  const below = inner.length === 0 ? value : { [inner.join('.')]: value }
  return outer.reduceRight((written: unknown, step) => ({ [step]: written }), below) as object // one key at least
})

const where = fc.oneof(
  condition,
  fc.tuple(fc.constantFrom('and', 'or', 'nor'), condition, condition).map(([by, ...parts]) => ({ [by]: parts }))
)
const clause = fc.tuple(path, fc.constantFrom('', ' ASC', ' DESC')).map(([steps, end]) => steps.join('.') + end)
const order = fc.oneof(
  clause,
  fc.tuple(fc.constantFrom('next.label', 'nextId'), clause).map((both) => [...both])
)
const filter = fc.oneof(
  where.map((written): object => ({ where: written })),
  order.map((written): object => ({ order: written })),
  fc.record({
    order,
    fields: fc.constantFrom<unknown>(['label'], ['secret', '_part'], { label: false }),
    limit: fc.nat(2)
  })
)
const includeIn = fc
  .tuple(fc.constantFrom('next', 'others', 'part', 'parts'), filter)
  .map(([relation, scope]) => ({ include: { relation, scope } }))
const groups = fc
  .tuple(fc.constantFrom('group', 'min', 'max', 'count', 'sum', 'avg'), path, fc.option(where))
  .map(([part, steps, chosen]) => ({ [part]: [steps.join('.')], count: true, ...(chosen && { where: chosen }) }))

const written = (name: string, value: object): string => `${name}=${encodeURIComponent(JSON.stringify(value))}`

const request = fc.oneof(
  fc
    .tuple(fc.constantFrom('/Things', '/Things/findOne', '/Things/1/others'), fc.oneof(filter, filter, includeIn))
    .map(([at, asked]) => `${at}?${written('filter', asked)}`),
  fc
    .tuple(fc.constantFrom('/Things/count', '/Things/1/others/count'), where)
    .map(([at, asked]) => `${at}?${written('where', asked)}`),
  groups.map((asked) => `/Things/aggregate?${written('filter', asked)}`)
)

void t.test('nothing that is hidden can be filtered, ordered or grouped by, however it is written', async (t) => {
  const one = await makeWorld(t, [1, 2, 3, 4])
  const other = await makeWorld(t, [3, 4, 2, 1])
  const property = fc.asyncProperty(request, async (url) => isDeepStrictEqual(await one.get(url), await other.get(url)))
  await fc.assert(property, { numRuns: runs(1500) })
})

const refused: readonly object[] = [
  { order: 'next._part.secret' },
  { order: 'next._part._inner.shy' },
  { order: 'next.secret' },
  { order: ['next.label', '_part.secret'] },
  { order: ['next.label', '_parts.0._inner.shy'] },
  { where: { 'next._part.shy': 1 } },
  { where: { next: { part: { inner: { secret: 1 } } } } },
  { include: { relation: 'part', scope: { where: { shy: 1 } } } },
  { include: { relation: 'parts', scope: { order: '_inner.secret' } } },
  { include: { relation: 'parts', scope: { order: 'shy' } } }
]

for (const asked of refused)
  void t.test(`${JSON.stringify(asked)} is refused`, async (t) => {
    const { get } = await makeWorld(t, [1, 2])
    t.match(await get('/Things', asked), { status: 400, body: { error: { code: 'HIDDEN_PROPERTY_IN_FILTER' } } })
  })
