import t from 'tap'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import type { Condition, Pattern } from '#src/contract/condition.ts'
import { buildModels } from '../build-models.ts'

const item = {
  name: 'Item',
  properties: { name: 'string', price: 'number', added: 'date', tags: ['string'], place: 'geopoint', data: 'object' }
}
const model = buildModels([item]).typeOf('Item')
const compatModel = buildModels([item], { compat: true }).typeOf('Item')

const compile = (where: unknown, compat = false): Condition | undefined =>
  compileOptionalWhere(compat ? compatModel : model, where)

/** Operator and value of each test in a condition, in order. */
function testsOf(condition: Condition | undefined): unknown[] {
  if (condition === undefined) return []
  if (condition.kind === 'test') return [[condition.operator, condition.value]]
  return 'conditions' in condition ? condition.conditions.flatMap(testsOf) : [condition.kind]
}

const date = (text: string) => new Date(text)
type Cases = readonly (readonly [where: unknown, tests: readonly unknown[]])[]

const operators: Cases = [
  [{ price: { eq: '1' } }, [['eq', 1]]],
  [{ price: { neq: '1' } }, [['neq', 1]]],
  [{ price: { neq: null } }, [['neq', null]]],
  [{ price: { gt: '1' } }, [['gt', 1]]],
  [{ price: { gte: null } }, [['gte', null]]],
  [{ added: { lt: '2020-01-01' } }, [['lt', date('2020-01-01')]]],
  [{ added: { lte: date('2020-01-01') } }, [['lte', date('2020-01-01')]]],
  [{ price: { gt: 'x' } }, ['never']],
  [{ price: { between: [1, '2'] } }, [['between', [1, 2]]]],
  [{ price: { between: { 0: '1', 1: '2' } } }, [['between', [1, 2]]]],
  [{ price: { between: [null, 2] } }, ['never']],
  [{ price: { between: ['x', 2] } }, ['never']],
  [{ price: { inq: ['1', 2, 'x', null] } }, [['inq', [1, 2, null]]]],
  [{ price: { inq: { 0: '1' } } }, [['inq', [1]]]],
  [{ price: { inq: [] } }, [['inq', []]]],
  [{ price: { nin: [1] } }, [['nin', [1]]]],
  [{ tags: { inq: [1, 'a'] } }, [['inq', ['1', 'a']]]],
  [{ added: { inq: ['2020-01-01'] } }, [['inq', [date('2020-01-01')]]]],
  [{ name: { like: '' } }, ['never']],
  [{ name: { nlike: '' } }, ['never']],
  [
    { price: { gt: 1, lt: 9, neq: 5 } },
    [
      ['gt', 1],
      ['lt', 9],
      ['neq', 5]
    ]
  ],
  [{ price: { gt: 1, options: 'i' } }, [['gt', 1]]],
  [{ price: { gt: undefined, lt: 2 } }, [['lt', 2]]]
]

t.test('operators become tests of converted values, and several hold together', async (t) => {
  for (const [where, tests] of operators) t.strictSame(testsOf(compile(where)), tests, JSON.stringify(where))
})

const asLoopBack: Cases = [
  [
    { price: { gt: 1, lt: 9 } },
    [
      ['gt', 1],
      ['lt', 9]
    ]
  ],
  [{ price: { neq: 1, inq: [2] } }, [['inq', [2]]]],
  [{ price: { between: [1, 2], neq: 1 } }, [['between', [1, 2]]]],
  [{ added: { inq: ['2020-01-01'] } }, [['inq', []]]]
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
    const pattern = (condition?.kind === 'test' ? condition.value : undefined) as Pattern
    t.strictSame([pattern.test(matching), pattern.test(other)], [true, false], JSON.stringify(where))
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
