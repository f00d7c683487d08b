import t from 'tap'
import { textOf, writeAnyJson } from '#src/output/write-any-json.ts'

t.test('cycles and big integers do not stop the writing', async (t) => {
  const circle: { self?: unknown; big?: bigint; same?: unknown } = { big: 5n }
  circle.self = [circle]
  circle.same = [{ when: new Date(0) }, { when: new Date(0) }]
  t.same(JSON.parse(writeAnyJson({ circle })), {
    circle: {
      big: '5',
      self: ['[Circular]'],
      same: [{ when: '1970-01-01T00:00:00.000Z' }, { when: '1970-01-01T00:00:00.000Z' }]
    }
  })
  t.equal(writeAnyJson({ a: 1 }, 2), '{\n  "a": 1\n}')
  t.equal(writeAnyJson(undefined), 'null')
})

t.test('everything has a text', async (t) => {
  const texts: readonly (readonly [unknown, string])[] = [
    ['x', 'x'],
    [5n, '5'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('x'), 'Symbol(x)'],
    [Object.create(null), '{}'],
    [{ a: 1n }, '{"a":"1"}']
  ]
  for (const [value, text] of texts) t.equal(textOf(value), text)
})
