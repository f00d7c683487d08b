import t from 'tap'
import type { Condition } from '#src/contract/condition.ts'
import { compilePredicate, createPredicateShapes } from '#src/filter/match-where.ts'
import { likePattern, regexpPattern } from '#src/operators/match-pattern.ts'
import type { ValueType } from '#src/types/property-type.ts'
import { testWith, type ValueOperator } from './test-with.ts'

const absent = {}
const number: ValueType = { kind: 'number' }

const test = (operator: ValueOperator, value: unknown, path = 'v', type?: ValueType): Condition => ({
  kind: 'test',
  path: path.split('.'),
  type,
  ...testWith(operator, value)
})

const like = (text: string, { negated = false, ignoreCase = false } = {}): Condition => ({
  kind: 'test',
  path: ['v'],
  test: 'pattern',
  pattern: likePattern(text, { ignoreCase }),
  negated
})

const regexp = (source: string): Condition => ({
  kind: 'test',
  path: ['v'],
  test: 'pattern',
  pattern: regexpPattern(source)
})

/** Rows by a name that says what their property v is. */
const rows: Readonly<Record<string, Record<string, unknown>>> = {
  absent,
  null: { v: null },
  one: { v: 1 },
  text1: { v: '1' },
  true: { v: true },
  false: { v: false },
  zero: { v: 0 },
  empty: { v: '' },
  abc: { v: 'abc' },
  textNull: { v: 'null' },
  nan: { v: NaN },
  none: { v: [] },
  list: { v: [1, 'abc'] },
  listNull: { v: [null, 3] },
  nested: { v: [[1], [5]] },
  object: { v: { p: 1 } },
  date: { v: new Date(1000) },
  bytes: { v: Buffer.from('ab') }
}

const find = (condition: Condition): string[] =>
  Object.keys(rows).filter((name) => compilePredicate(condition)(rows[name] ?? {}))
const all = Object.keys(rows)
const without = (...names: string[]): string[] => all.filter((name) => !names.includes(name))

const table: readonly (readonly [string, Condition, readonly string[]])[] = [
  ['eq compares loosely', test('eq', 1), ['one', 'text1', 'true', 'list', 'nested']],
  ['eq of a text compares loosely', test('eq', '1'), ['one', 'text1', 'true', 'list', 'nested']],
  ['eq false finds what JavaScript takes for it', test('eq', false), ['false', 'zero', 'empty']],
  ['eq null finds null and absent', test('eq', null), ['absent', 'null', 'listNull']],
  ['eq undefined is eq null', test('eq', undefined), ['absent', 'null', 'listNull']],
  ['eq NaN finds nothing', test('eq', NaN), []],
  ['eq compares dates by time', test('eq', new Date(1000)), ['date']],
  ['eq compares binary data by content', test('eq', Buffer.from('ab')), ['bytes']],
  ['eq of a plain object finds nothing', test('eq', { p: 1 }), []],
  ['eq of a list with one item is eq of the item', test('eq', ['abc']), ['abc', 'list']],
  ['eq of a list with several items finds nothing', test('eq', [1, 'abc']), []],
  ['eq of an empty list finds nothing', test('eq', []), []],
  ['neq finds what eq does not, and any other item', test('neq', 1), without('one', 'text1', 'true')],
  ['neq null finds values', test('neq', null), without('absent', 'null')],
  ['neq NaN finds everything', test('neq', NaN), all],
  ['gt', test('gt', 0), ['one', 'text1', 'true', 'list', 'listNull', 'nested', 'date']],
  ['gt null finds nothing', test('gt', null), []],
  ['gte null finds null and absent', test('gte', null), ['absent', 'null', 'listNull']],
  ['lte null finds null and absent', test('lte', null), ['absent', 'null', 'listNull']],
  ['lt does not take null for 0', test('lt', 1), ['false', 'zero', 'empty']],
  ['lt of a text compares by UTF-16 code', test('lt', 'b'), ['text1', 'empty', 'abc', 'list']],
  ['gt of a date compares by time', test('gt', new Date(500)), ['date']],
  ['gt of binary data compares bytes', test('gt', Buffer.from('aa')), ['bytes']],
  ['between', test('between', [1, 3]), ['one', 'text1', 'true', 'list', 'listNull', 'nested']],
  ['between holds for one item at a time', test('between', [2, 4]), ['listNull']],
  ['between null finds null', test('between', [null, null]), ['absent', 'null', 'listNull']],
  ['inq', test('inq', [1, 'abc']), ['one', 'text1', 'true', 'abc', 'list', 'nested']],
  ['inq with null', test('inq', [null, 5]), ['absent', 'null', 'listNull', 'nested']],
  ['inq with a date', test('inq', [new Date(1000)]), ['date']],
  ['inq with NaN', test('inq', [NaN]), []],
  ['inq of nothing', test('inq', []), []],
  ['nin', test('nin', [1, 'abc', null]), without('absent', 'null', 'one', 'text1', 'true', 'abc', 'none', 'list')],
  ['nin of nothing finds all but empty lists', test('nin', []), without('none')],
  ['like looks at the text of a value', like('null'), ['null', 'textNull', 'listNull']],
  ['like finds objects as LoopBack does', like('object'), ['object']],
  ['like of everything leaves absent values and empty lists out', like('%'), without('absent', 'none')],
  ['nlike finds absent values', like('%', { negated: true }), ['absent']],
  ['ilike', like('ABC', { ignoreCase: true }), ['abc', 'list']],
  ['nilike', like('B', { negated: true, ignoreCase: true }), without('abc', 'none', 'object', 'bytes')],
  ['regexp only looks at texts', regexp('.'), ['text1', 'abc', 'textNull', 'list']],
  ['regexp of the empty text', regexp(''), ['text1', 'empty', 'abc', 'textNull', 'list']],
  ['never', { kind: 'never' }, []],
  ['and of nothing', { kind: 'and', conditions: [] }, all],
  ['or of nothing', { kind: 'or', conditions: [] }, []],
  ['nor of nothing', { kind: 'nor', conditions: [] }, all],
  ['nor', { kind: 'nor', conditions: [test('eq', 1), test('neq', 1)] }, []]
]

for (const [name, condition, expected] of table) {
  void t.test(name, async (t) => {
    t.same(find(condition), expected)
  })
}

void t.test('a declared type changes nothing for values of other types', async (t) => {
  for (const operator of ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const) {
    t.same(find(test(operator, 1, 'v', number)), find(test(operator, 1)), operator)
  }
})

void t.test('only own properties count', async (t) => {
  const inherited = Object.create({ v: 1 }) as Record<string, unknown>
  t.equal(compilePredicate(test('neq', null))(inherited), false)
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    t.equal(compilePredicate(test('neq', null, name))({ v: 1 }), false, name)
    t.equal(compilePredicate(test('eq', null, name))({ v: 1 }), true, name)
  }
  const own = JSON.parse('{"__proto__":5,"constructor":"x"}') as Record<string, unknown>
  t.equal(compilePredicate(test('eq', 5, '__proto__'))(own), true)
  t.equal(compilePredicate(test('eq', 'x', 'constructor'))(own), true)
})

void t.test('a property name cannot become code', async (t) => {
  const names = [`"]; throw 1; row["`, '\\', '\u2028', '\n', "'", '`${1}`', ']', '*/', '//', '${row}']
  for (const name of names) {
    const condition: Condition = { kind: 'test', path: [name], test: 'equals', value: 7 }
    t.equal(compilePredicate(condition)({ [name]: 7 }), true, name)
    t.equal(compilePredicate(condition)({ v: 7 }), false, name)
  }
})

void t.test('data with a toString of its own is only data', async (t) => {
  const row = { v: { toString: 1, valueOf: 2 } }
  for (const operator of ['eq', 'neq', 'gt', 'lt', 'gte', 'lte'] as const)
    t.doesNotThrow(() => compilePredicate(test(operator, 1))(row))
  t.equal(compilePredicate(like('object'))(row), true)
})

void t.test('conditions that differ only in their values share a shape', async (t) => {
  const shapes = createPredicateShapes()
  for (const value of [1, 2, 3]) {
    t.equal(compilePredicate(test('gt', value, 'v', number), shapes)({ v: 2 }), 2 > value)
  }
  compilePredicate(test('between', [1, 2], 'v', number), shapes)
  t.equal(shapes.size, 2)
})

void t.test('at most as many shapes are kept as the cache has places', async (t) => {
  const shapes = createPredicateShapes(3)
  for (let at = 0; at < 10; at++) compilePredicate(test('eq', 1, `v${at}`), shapes)
  t.equal(shapes.size, 3)
})

void t.test('a condition of a thousand parts works', async (t) => {
  const parts = Array.from({ length: 1000 }, (_, at) => test('eq', at))
  t.equal(compilePredicate({ kind: 'or', conditions: parts })({ v: 999 }), true)
  t.equal(compilePredicate({ kind: 'nor', conditions: parts })({ v: 999 }), false)
  t.equal(compilePredicate({ kind: 'and', conditions: parts })({ v: 999 }), false)
})
