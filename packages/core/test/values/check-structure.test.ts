import t from 'tap'
import { checkStructure, defaultDataDepth, reservedNames, parseStructure } from '#src/values/check-structure.ts'

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

t.test('data within the limits passes', async () => {
  for (const value of [undefined, null, 'x', 5, [], {}, { a: [{ b: null }] }, deep(defaultDataDepth)])
    checkStructure(value)
  checkStructure(deep(3), { depth: 3 })
  checkStructure(JSON.parse('{"__proto__":{"constructor":1}}'), { names: false })
})

t.test('deeper data is refused', async (t) => {
  for (const value of [deep(defaultDataDepth + 1), deep(5000), { a: deep(defaultDataDepth) }]) {
    t.throws(() => checkStructure(value), { code: 'LIMIT_EXCEEDED', statusCode: 400 })
    t.throws(() => checkStructure(value, { names: false }), { code: 'LIMIT_EXCEEDED' })
  }
  t.throws(() => checkStructure(deep(4), { depth: 3 }), { code: 'LIMIT_EXCEEDED' })
})

t.test('names of the object model are refused at every level', async (t) => {
  for (const name of reservedNames) {
    for (const text of [`{"${name}":1}`, `[{"a":{"${name}":{}}}]`]) {
      t.throws(() => checkStructure(JSON.parse(text)), { code: 'PROPERTY_NAME_REFUSED', statusCode: 400 }, text)
    }
  }
})

t.test('texts and names with half of a surrogate pair are refused at every level', async (t) => {
  const half = '\ud83d'
  for (const value of [
    half,
    [half],
    { a: half },
    { [half]: 1 },
    [{ a: [{ b: `x${half}y` }] }],
    [[{ [`x${half}`]: {} }]]
  ]) {
    for (const names of [true, false])
      t.throws(() => checkStructure(value, { names }), { code: 'TEXT_NOT_WELL_FORMED', statusCode: 400 })
  }
  checkStructure({ '😀': ['😀', '\0', '\ufffd', '\uffff'] })
})

const texts: readonly (readonly [text: string, structure: unknown])[] = [
  ['{"a":1}', { a: 1 }],
  [' [1,"x"]', [1, 'x']],
  ['5', undefined],
  ['"x"', undefined],
  ['null', undefined],
  ['', undefined],
  ['{', undefined],
  ['[1', undefined],
  ['x', undefined]
]

t.test('a text that holds a JSON object or list is read, and looked at', async (t) => {
  for (const [text, structure] of texts) t.strictSame(parseStructure(text), structure, text)
  t.throws(() => parseStructure('{"__proto__":1}'), { code: 'PROPERTY_NAME_REFUSED' })
  t.throws(() => parseStructure('{"a":"\\ud83d"}'), { code: 'TEXT_NOT_WELL_FORMED' })
  t.throws(() => parseStructure('['.repeat(9000) + ']'.repeat(9000)), { code: 'LIMIT_EXCEEDED' })
})
