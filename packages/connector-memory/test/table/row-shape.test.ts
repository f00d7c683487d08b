import t from 'tap'
import { compileRowShape } from '#src/table/row-shape.ts'

void t.test('rows have all declared properties in declared order, then the others', async (t) => {
  const shape = compileRowShape(['a', 'b', 'c'])
  const row = shape({ x: 1, c: 3, a: null, y: undefined })
  t.same(Object.keys(row), ['a', 'b', 'c', 'x'])
  t.strictSame([row['a'], row['b'], row['c'], row['x']], [null, undefined, 3, 1])
})

void t.test('names that objects inherit count only where the row has them', async (t) => {
  const shape = compileRowShape(['toString', 'constructor', '__proto__', `"]: 1, ["x`])
  const row = shape({ constructor: 5 })
  t.equal(Object.getPrototypeOf(row), Object.prototype)
  t.same(Object.keys(row), ['toString', 'constructor', '__proto__', `"]: 1, ["x`])
  t.strictSame([Object.getOwnPropertyDescriptor(row, 'toString')?.value, row['constructor']], [undefined, 5])
  const own = shape(JSON.parse('{"__proto__":{"polluted":1},"other":{"__proto__":2}}') as Record<string, unknown>)
  t.equal(Reflect.get(own, 'polluted'), undefined)
  t.same(Object.getOwnPropertyDescriptor(own, '__proto__')?.value, { polluted: 1 })
})
