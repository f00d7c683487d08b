import t from 'tap'
import { compareForOrder, compileOrder, createOrderShapes } from '#src/filter/order.ts'
import type { OrderClause } from '#src/contract/condition.ts'

const clauses = (...names: string[]): OrderClause[] =>
  names.map((name) => ({
    path: name.replace('-', '').split('.'),
    type: { kind: 'any' },
    descending: name.startsWith('-')
  }))

const sortIds = (values: readonly unknown[], ...names: string[]): unknown[] => {
  const rows = values.map((v, at) => (v === absent ? { id: at } : { v, id: at }))
  return rows.toSorted(compileOrder(clauses(...names), ['id'])).map(({ id }) => id)
}
const absent = Symbol('absent')

const tables: readonly (readonly [
  string,
  readonly unknown[],
  ascending: readonly number[],
  descending: readonly number[]
])[] = [
  ['numbers', [3, 1, 2], [1, 2, 0], [0, 2, 1]],
  ['equal values by id in both directions', [1, 2, 1, 2], [0, 2, 1, 3], [1, 3, 0, 2]],
  ['absent first, last descending', [1, absent, 0, absent], [1, 3, 2, 0], [0, 2, 1, 3]],
  ['null is 0 among numbers', [1, null, -1, 0], [2, 1, 3, 0], [0, 1, 3, 2]],
  ['null comes before texts', ['b', null, '', absent], [3, 1, 2, 0], [0, 2, 1, 3]],
  ['texts by code', ['b', 'A', 'a', 'B', '10', '9'], [4, 5, 1, 3, 2, 0], [0, 2, 3, 1, 5, 4]],
  ['dates', [new Date(2), new Date(1), null], [2, 1, 0], [0, 1, 2]],
  ['equal dates by id', [new Date(2), new Date(2)], [0, 1], [0, 1]],
  ['booleans', [true, false, null], [1, 2, 0], [0, 1, 2]],
  ['numeric text beside numbers', [10, '9', 2, '1', 1], [3, 4, 2, 1, 0], [0, 1, 2, 3, 4]],
  ['lists as text', [['b'], ['a', 'z'], []], [2, 1, 0], [0, 1, 2]],
  ['not a number first', [1, NaN, -5, Infinity], [1, 2, 0, 3], [3, 0, 2, 1]]
]

for (const [name, values, ascending, descending] of tables) {
  void t.test(`order: ${name}`, async (t) => {
    t.same(sortIds(values, 'v'), ascending, 'ascending')
    t.same(sortIds(values, '-v'), descending, 'descending')
  })
}

void t.test('without an order number ids come as numbers and text ids as text', async (t) => {
  const compare = compileOrder([], ['id'])
  t.same([{ id: 10 }, { id: 9 }].toSorted(compare), [{ id: 9 }, { id: 10 }])
  t.same([{ id: '9' }, { id: '10' }].toSorted(compare), [{ id: '10' }, { id: '9' }])
})

void t.test('several clauses and paths', async (t) => {
  const rows = [
    { id: 1, a: 1, o: { p: 2 } },
    { id: 2, a: 1, o: { p: 3 } },
    { id: 3, a: 2 }
  ]
  const sorted = rows.toSorted(compileOrder(clauses('-a', '-o.p'), ['id']))
  t.same(
    sorted.map(({ id }) => id),
    [3, 2, 1]
  )
})

void t.test('rows without an id keep their order when nothing tells them apart', async (t) => {
  t.equal(compileOrder(clauses('v'), undefined)({ v: 1 }, { v: 1 }), 0)
  t.equal(compileOrder([], undefined)({ v: 1 }, { v: 2 }), 0)
})

void t.test('inherited properties do not count and names cannot become code', async (t) => {
  const rows: Record<string, unknown>[] = [{ id: 2, constructor: 5 }, { id: 1 }, { id: 3, ['"]; throw 1; a["']: 1 }]
  t.same(
    rows.toSorted(compileOrder(clauses('constructor'), ['id'])).map(({ id }) => id),
    [1, 3, 2]
  )
  t.same(
    rows.toSorted(compileOrder(clauses('-"]; throw 1; a["'), ['id'])).map(({ id }) => id),
    [3, 1, 2]
  )
  t.same(
    rows.toSorted(compileOrder(clauses('__proto__'), ['id'])).map(({ id }) => id),
    [1, 2, 3]
  )
})

void t.test('orders of one shape share their code', async (t) => {
  const shapes = createOrderShapes()
  for (const order of [clauses('a', '-b'), clauses('a', '-b'), clauses('a', 'b')]) compileOrder(order, ['id'], shapes)
  t.equal(shapes.size, 2)
})

void t.test('null beside a text is 0 beside a number where nothing is declared', async (t) => {
  const order: OrderClause[] = [{ path: ['v'], descending: false }]
  const rows = [
    { id: 1, v: '-1' },
    { id: 2, v: null },
    { id: 3, v: '1' }
  ]
  t.same(
    rows.toSorted(compileOrder(order, ['id'])).map(({ id }) => id),
    [1, 2, 3]
  )
  t.equal(compileOrder(order, ['id'])({ id: 1, v: null }, { id: 2, v: 'x' }), -1, 'no number: equal, so by id')
})

void t.test('compareForOrder is antisymmetric and 0 for equal values', async (t) => {
  const values = [
    undefined,
    null,
    0,
    1,
    -1,
    NaN,
    'a',
    '',
    '1',
    true,
    new Date(1),
    [],
    ['a'],
    { a: 1 },
    Buffer.from('x'),
    5n
  ]
  for (const a of values) {
    t.equal(compareForOrder(a, a), 0)
    for (const b of values) t.equal(Math.sign(compareForOrder(a, b)), -Math.sign(compareForOrder(b, a)) || 0)
  }
})
