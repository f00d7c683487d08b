import t from 'tap'
import { compileCoercion } from '#src/types/coerce-value.ts'
import { Unusable } from '#src/values/unusable.ts'
import { describe } from '#src/values/describe.ts'
import { compileType } from '#src/types/compile-type.ts'

const place = { model: 'Sample', key: 'properties.value', dottedNames: false }
const bytes = (...list: number[]) => Buffer.from(list)
const date = (text: string) => new Date(text)

/** What becomes of a value: the value itself, or the code of what makes it unusable. */
function convert(type: unknown, raw: unknown): unknown {
  const value = compileCoercion(compileType(type, place), { findModel: () => undefined })(raw)
  return value instanceof Unusable ? `unusable: ${value.code}` : value
}

type Cases = readonly (readonly [raw: unknown, converted: unknown])[]

// The recordings crud/types-string, types-number, types-boolean, types-date, types-array, types-nested, types-object.
const recorded: Readonly<Record<string, Cases>> = {
  string: [
    ['x', 'x'],
    ['', ''],
    [0, '0'],
    [1.5, '1.5'],
    [true, 'true'],
    [date('2020-01-02'), '2020-01-02T00:00:00.000Z'],
    [date('x'), 'unusable: string'],
    ['{"a":1}', '{"a":1}'],
    [['a'], 'unusable: string'],
    [[], 'unusable: string'],
    [{}, 'unusable: string'],
    [{ a: 1 }, 'unusable: string']
  ],
  text: [
    ['x', 'x'],
    [5, 5],
    [true, true],
    ['[1]', '[1]'],
    [[], 'unusable: string'],
    [{ a: 1 }, 'unusable: string']
  ],
  number: [
    [0, 0],
    [-0, -0],
    [-1.5, -1.5],
    ['12', 12],
    ['1e3', 1000],
    [' 5 ', 5],
    ['', 0],
    ['0x10', 16],
    [10n, 10],
    [9_007_199_254_740_991, 9_007_199_254_740_991],
    ['x', 'unusable: number'],
    ['12abc', 'unusable: number'],
    [true, 'unusable: number'],
    [[], 'unusable: number'],
    [[7], 'unusable: number'],
    [{}, 'unusable: number'],
    ['2020-01-01', 'unusable: number'],
    ['Infinity', 'unusable: number'],
    [Infinity, 'unusable: number'],
    [NaN, 'unusable: number']
  ],
  integer: [
    [3, 3],
    ['3', 3],
    [3.5, 'unusable: integer'],
    ['x', 'unusable: number']
  ],
  boolean: [
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['0', false],
    ['1', true],
    ['', false],
    ['FALSE', true],
    ['null', true],
    [1, true],
    [0, false],
    [[], 'unusable: boolean'],
    [{}, 'unusable: boolean'],
    [['false'], 'unusable: boolean']
  ],
  date: [
    ['2020-01-02', date('2020-01-02')],
    ['2020-01-02T03:04:05Z', date('2020-01-02T03:04:05Z')],
    ['2020-01-02T03:04:05+02:00', date('2020-01-02T01:04:05Z')],
    ['2020', date('2020-01-01')],
    ['2020-06', date('2020-06-01')],
    ['Thu, 02 Jan 2020 03:04:05 GMT', date('2020-01-02T03:04:05Z')],
    [0, date('1970-01-01')],
    [-1, date('1969-12-31T23:59:59.999Z')],
    [1_577_934_245_678, date('2020-01-02T03:04:05.678Z')],
    [date('2020-02-29'), date('2020-02-29')],
    ['2020-02-29', date('2020-02-29')],
    ['2020-02-31', 'unusable: date'],
    ['2021-02-29T00:00:00Z', 'unusable: date'],
    ['2020-13-01', 'unusable: date'],
    ['x', 'unusable: date'],
    ['', 'unusable: date'],
    ['1577934245678', 'unusable: date'],
    [1e20, 'unusable: date'],
    [true, 'unusable: date'],
    [[], 'unusable: date'],
    [{}, 'unusable: date'],
    [date('x'), 'unusable: date']
  ],
  dateString: [
    ['2020-01-02', '2020-01-02'],
    [0, '1970-01-01'],
    [date('2020-01-02T10:00:00Z'), '2020-01-02'],
    ['x', 'unusable: date']
  ],
  buffer: [
    ['aGVsbG8=', Buffer.from('aGVsbG8=')],
    [{ type: 'Buffer', data: [104, 105] }, bytes(104, 105)],
    [[1, 2], bytes(1, 2)],
    [bytes(7), bytes(7)],
    [5, 'unusable: buffer'],
    [[256], 'unusable: buffer'],
    [['a'], 'unusable: buffer'],
    [{ type: 'Buffer', data: 'x' }, 'unusable: buffer'],
    [{ data: [1] }, 'unusable: buffer']
  ],
  geopoint: [
    [
      { lat: 1.5, lng: 2 },
      { lat: 1.5, lng: 2 }
    ],
    [
      { lat: '7', lng: '8' },
      { lat: 7, lng: 8 }
    ],
    ['3,4', { lat: 3, lng: 4 }],
    [[5, 6], { lat: 5, lng: 6 }],
    [
      { lat: -90, lng: 180 },
      { lat: -90, lng: 180 }
    ],
    [{ lat: 91, lng: 0 }, 'unusable: geopoint'],
    [{ lat: 0, lng: 181 }, 'unusable: geopoint'],
    [{ lat: 'a', lng: 'b' }, 'unusable: geopoint'],
    [{ lat: '', lng: '' }, 'unusable: geopoint'],
    [{}, 'unusable: geopoint'],
    ['x', 'unusable: geopoint'],
    ['1,2,3', 'unusable: geopoint'],
    [[1], 'unusable: geopoint'],
    [5, 'unusable: geopoint']
  ],
  object: [
    [{ a: 1 }, { a: 1 }],
    [
      [1, 2],
      [1, 2]
    ],
    ['{"a":1}', '{"a":1}'],
    [5, 5]
  ],
  any: [
    [{ a: 1 }, { a: 1 }],
    ['x', 'x'],
    [5, 5],
    [true, true],
    ['{"a":1}', { a: 1 }],
    [' [1]', [1]],
    ['[1', '[1'],
    ['5', '5']
  ]
}

for (const [type, cases] of Object.entries(recorded)) {
  t.test(`values of type ${type} are converted as recorded`, async (t) => {
    for (const [raw, converted] of cases) t.strictSame(convert(type, raw), converted, describe(raw))
  })
}

const lists: readonly (readonly [type: unknown, raw: unknown, converted: unknown])[] = [
  ['array', ['a', 1, null, true], ['a', 1, null, true]],
  [['any'], '[1,2]', [1, 2]],
  [['string'], ['a', 1, null, true], ['a', '1', 'null', 'true']],
  [['string'], '[1,2]', ['1', '2']],
  [['number'], [1, '2', null, true], [1, 2, 0, 1]],
  [['number'], ['x'], 'unusable: number'],
  [['string'], [['n']], 'unusable: array'],
  [['number'], [['n']], 'unusable: array'],
  [['date'], ['2020-01-01', 0], [date('2020-01-01'), date('1970-01-01')]],
  [['date'], ['x'], 'unusable: date'],
  [['date'], [null], [null]],
  [['boolean'], [true, false, 0, null], [true, false, false, false]],
  [['boolean'], ['false'], 'unusable: boolean'],
  [[['number']], [['1']], [[1]]],
  [[{ k: 'string', v: 'number' }], [{ k: 1, v: '2' }, { k: 'b' }], [{ k: '1', v: 2 }, { k: 'b' }]],
  [[{ k: 'string' }], ['x'], 'unusable: object'],
  [['string'], [], []]
]

t.test('items of lists are converted one by one', async (t) => {
  for (const [type, raw, converted] of lists) t.strictSame(convert(type, raw), converted, JSON.stringify([type, raw]))
})

t.test('a value that is no list is a 400 where a list is declared', async (t) => {
  for (const raw of ['a', '', {}, { 0: 'a' }, 5, true, '{}', '"a"']) {
    t.throws(() => convert(['string'], raw), { code: 'INVALID_VALUE', statusCode: 400 }, describe(raw))
  }
})

const nested: readonly (readonly [raw: unknown, converted: unknown])[] = [
  [
    { x: '5', y: { z: 9 } },
    { x: 5, y: { z: '9' } }
  ],
  [{}, {}],
  [
    { x: null, other: 1 },
    { x: null, other: 1 }
  ],
  [{ x: 'bad' }, 'unusable: number'],
  [{ y: 'bad' }, 'unusable: object'],
  ['x', 'unusable: object'],
  [[], 'unusable: object']
]

t.test('declared parts of nested objects are converted, others kept', async (t) => {
  const type = { x: 'number', y: { z: 'string' } }
  for (const [raw, converted] of nested) t.strictSame(convert(type, raw), converted, JSON.stringify(raw))
})

t.test('declared parts come first, in the order of their declaration', async (t) => {
  const converted = convert({ w: 'number', h: 'number' }, { x: 3, h: 1, w: 2 })
  t.equal(JSON.stringify(converted), '{"w":2,"h":1,"x":3}')
})

t.test('an own __proto__ key of nested data stays data', async (t) => {
  const converted = convert({ x: 'number' }, JSON.parse('{"x":"1","__proto__":{"polluted":true}}'))
  t.equal(Object.getPrototypeOf(converted), Object.prototype)
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

t.test('a type that names a model is looked up at the first value', async (t) => {
  const street = compileType({ street: 'string' }, place)
  const properties = street.kind === 'nested' ? street.properties : []
  const coerce = compileCoercion(
    { kind: 'model', model: 'Address' },
    {
      findModel: (name) => (name === 'Address' ? properties : undefined)
    }
  )
  t.strictSame(coerce({ street: 5, zip: 1 }), { street: '5', zip: 1 })
  t.ok(coerce('x') instanceof Unusable)
})

t.test('values are described in a few words', async (t) => {
  const cases: Cases = [
    [null, 'null'],
    [[1], 'a list'],
    ['x', '"x"'],
    ['x'.repeat(41), 'a text'],
    [{}, 'an object'],
    [undefined, 'undefined'],
    [5, '5']
  ]
  for (const [value, words] of cases) t.equal(describe(value), words)
})
