import t from 'tap'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import type { TestKind, Condition } from '#src/contract/condition.ts'
import { perTest } from '#src/filter/test-value.ts'
import { buildModels } from '../build-models.ts'

const item = {
  name: 'Item',
  properties: { name: 'string', price: 'number', added: 'date', tags: ['string'], place: 'geopoint', data: 'object' }
}
const model = buildModels([item]).typeOf('Item')
const compatModel = buildModels([item], { compat: true }).typeOf('Item')

const compile = (where: unknown, compat = false): Condition | undefined =>
  compileOptionalWhere(compat ? compatModel : model, where)

const written = perTest<TestKind, [], readonly unknown[]>({
  equals: ({ value, negated }) => [negated === true ? '!=' : '=', value],
  in: ({ values, negated }) => [negated === true ? 'not in' : 'in', values],
  range: ({ bounds }) => bounds.flatMap(({ is, value }) => [is, value]),
  pattern: ({ pattern }) => ['pattern', pattern.source],
  near: ({ near }) => ['near', near]
})

/** What each test in a condition asks, in order. */
function testsOf(condition: Condition | undefined): unknown[] {
  if (condition === undefined) return []
  if (condition.kind === 'test') return [written(condition)]
  return 'conditions' in condition ? condition.conditions.flatMap(testsOf) : [condition.kind]
}

const date = (text: string) => new Date(text)
type Cases = readonly (readonly [where: unknown, tests: readonly unknown[]])[]

const operators: Cases = [
  [{ price: { eq: '1' } }, [['=', 1]]],
  [{ price: { neq: '1' } }, [['!=', 1]]],
  [{ price: { neq: null } }, [['!=', null]]],
  [{ price: { gt: '1' } }, [['>', 1]]],
  [{ price: { gte: null } }, [['>=', null]]],
  [{ added: { lt: '2020-01-01' } }, [['<', date('2020-01-01')]]],
  [{ added: { lte: date('2020-01-01') } }, [['<=', date('2020-01-01')]]],
  [{ price: { gt: 'x' } }, ['never']],
  [{ price: { between: [1, '2'] } }, [['>=', 1, '<=', 2]]],
  [{ price: { between: { 0: '1', 1: '2' } } }, [['>=', 1, '<=', 2]]],
  [{ price: { between: [null, 2] } }, ['never']],
  [{ price: { between: ['x', 2] } }, ['never']],
  [{ price: { inq: ['1', 2, 'x', null] } }, [['in', [1, 2, null]]]],
  [{ price: { inq: { 0: '1' } } }, [['in', [1]]]],
  [{ price: { inq: [] } }, [['in', []]]],
  [{ price: { nin: [1] } }, [['not in', [1]]]],
  [{ tags: { inq: [1, 'a'] } }, [['in', ['1', 'a']]]],
  [{ added: { inq: ['2020-01-01'] } }, [['in', [date('2020-01-01')]]]],
  [{ name: { like: '' } }, ['never']],
  [{ name: { nlike: '' } }, ['never']],
  [
    { price: { gt: 1, lt: 9, neq: 5 } },
    [
      ['>', 1],
      ['<', 9],
      ['!=', 5]
    ]
  ],
  [{ price: { gt: 1, options: 'i' } }, [['>', 1]]]
]

t.test('operators become tests of converted values, and several hold together', async (t) => {
  for (const [where, tests] of operators) t.strictSame(testsOf(compile(where)), tests, JSON.stringify(where))
})

const asLoopBack: Cases = [
  [
    { price: { gt: 1, lt: 9 } },
    [
      ['>', 1],
      ['<', 9]
    ]
  ],
  [{ price: { neq: 1, inq: [2] } }, [['in', [2]]]],
  [{ price: { between: [1, 2], neq: 1 } }, [['>=', 1, '<=', 2]]],
  [{ added: { inq: ['2020-01-01'] } }, [['in', []]]]
]

t.test('in compat mode one operator counts and lists hold no dates', async (t) => {
  for (const [where, tests] of asLoopBack) t.strictSame(testsOf(compile(where, true)), tests, JSON.stringify(where))
})

const patterns: readonly (readonly [where: unknown, matching: string, other: string])[] = [
  [{ name: { like: '%b_d%' } }, 'a bad one', 'bd'],
  [{ name: { nlike: 'BAD' } }, 'BAD', 'bad'],
  [{ name: { ilike: 'BAD' } }, 'so bad', 'good'],
  [{ name: { nilike: 'bad' } }, 'BAD', 'good'],
  [{ name: { like: 'BAD', options: 'i' } }, 'so bad', 'good'],
  [{ name: { nlike: 'bad', options: 'i' } }, 'BAD', 'good'],
  [{ name: { like: 'BAD', options: 'm' } }, 'BAD', 'bad'],
  [{ name: { like: /^b.d$/ } }, 'bad', 'badly'],
  [{ name: { regexp: '^b' } }, 'bad', 'a bad'],
  [{ name: { regexp: '/^B/i' } }, 'bad', 'a bad'],
  [{ name: { regexp: /^B/i } }, 'bad', 'a bad'],
  [{ name: /^b/ }, 'bad', 'a bad'],
  [{ tags: { regexp: '^b' } }, 'bad', 'a bad'],
  [{ unknown: { regexp: '/b/' } }, 'a/b/c', 'b'],
  [{ name: { regexp: '(' } }, 'a(b', 'ab'],
  [{ name: { regexp: '^(a+)+$' } }, 'aaa', `${'a'.repeat(5000)}!`]
]

t.test('patterns match as written', async (t) => {
  for (const [where, matching, other] of patterns) {
    const condition = compile(where)
    const test = condition?.kind === 'test' && condition.test === 'pattern' ? condition : undefined
    const found = [matching, other].map((text) => test?.pattern.test(text))
    t.strictSame(found, [true, false], JSON.stringify(where))
  }
})

const malformed: readonly unknown[] = [
  { gt: [1] },
  { gte: {} },
  { lt: [] },
  { inq: 1 },
  { inq: 'a' },
  { inq: null },
  { inq: {} },
  { nin: { a: 1 } },
  { between: 1 },
  { between: [1] },
  { between: [1, 2, 3] },
  { like: 5 },
  { like: null },
  { nlike: ['a'] },
  { ilike: {} },
  { regexp: 5 },
  { regexp: [] },
  { near: 'x' },
  { unknown: 1, gt: 1 }
]

t.test('operators with values of the wrong form are refused', async (t) => {
  for (const value of malformed) {
    t.throws(() => compile({ name: value }), { code: 'INVALID_FILTER', statusCode: 400 }, JSON.stringify(value))
  }
  t.throws(() => compile({ price: { regexp: 'x' } }), { code: 'INVALID_FILTER' })
  t.throws(() => compile({ added: { gt: 'x' } }), { code: 'INVALID_FILTER' })
})

const badPatterns: readonly unknown[] = [
  { regexp: '/' },
  { regexp: '/a/x' },
  { regexp: '/(/' },
  { regexp: '(a)\\1' },
  { regexp: 'a(?=b)' },
  { regexp: '(a{100}){100}' },
  { like: '*' }
]

t.test('patterns without a bounded running time, and those that are none, are refused', async (t) => {
  for (const value of badPatterns) {
    t.throws(() => compile({ name: value }), { code: 'INVALID_PATTERN', statusCode: 400 }, JSON.stringify(value))
  }
  t.throws(() => compile({ name: { regexp: 'a'.repeat(2000) } }), { code: 'LIMIT_EXCEEDED' })
})
