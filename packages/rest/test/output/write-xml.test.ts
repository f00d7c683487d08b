import { XMLValidator } from 'fast-xml-parser'
import * as fc from 'fast-check'
import t from 'tap'
import { parseXml } from '../fixtures/with-defaults.ts'
import { writeErrorXml, writeXml } from '#src/output/write-xml.ts'

const start = '<?xml version="1.0" encoding="UTF-8"?>\n'

const answers: readonly (readonly [value: unknown, xml: string])[] = [
  [{ count: 2 }, `${start}<response>\n  <count>2</count>\n</response>`],
  [
    {
      title: 'Night <&> "Watch"',
      madeOn: new Date('1642-05-01'),
      sold: false,
      tags: ['oil', 'dutch'],
      artist: null,
      none: undefined
    },
    `${start}<response>\n  <title>Night &lt;&amp;> "Watch"</title>\n  <madeOn>1642-05-01T00:00:00.000Z</madeOn>\n  <sold>false</sold>\n` +
      '  <tags>oil</tags>\n  <tags>dutch</tags>\n  <artist>null</artist>\n</response>'
  ],
  [
    { nested: { x: [1, { y: 2 }] } },
    `${start}<response>\n  <nested>\n    <x>1</x>\n    <x>\n      <y>2</y>\n    </x>\n  </nested>\n</response>`
  ],
  [
    [1, 'a', null, { b: 2 }],
    `${start}<response>\n  <result>1</result>\n  <result>a</result>\n  <result>null</result>\n  <result>\n    <b>2</b>\n  </result>\n</response>`
  ],
  [[[1, 2], [3]], `${start}<response>\n  <result>1</result>\n  <result>2</result>\n  <result>3</result>\n</response>`],
  [[], `${start}<response/>`],
  [{}, `${start}<response/>`],
  [undefined, `${start}<response/>`],
  [{ a: [], b: {}, c: '' }, `${start}<response>\n  <b/>\n  <c></c>\n</response>`],
  ['text', `${start}<response>text</response>`],
  [42, `${start}<response>42</response>`],
  [0, `${start}<response>0</response>`],
  [true, `${start}<response>true</response>`],
  [new Date(86_400_000), `${start}<response>1970-01-02T00:00:00.000Z</response>`],
  [
    { d: new Date(Number.NaN), b: Buffer.from('hi'), n: 5n },
    `${start}<response>\n  <d>null</d>\n  <b>aGk=</b>\n  <n>5</n>\n</response>`
  ],
  [{ f: () => 1, s: Symbol('x'), u: undefined }, `${start}<response/>`],
  [{ a: { toJSON: () => ({ z: 1 }) } }, `${start}<response>\n  <a>\n    <z>1</z>\n  </a>\n</response>`],
  [null, '<null/>'],
  [false, '']
]

t.test('answers are written as LoopBack writes them', async (t) => {
  for (const [value, xml] of answers) t.equal(writeXml(value), xml)
})

t.test('names that XML does not have are made into ones', async (t) => {
  const names = {
    'a b': 1,
    '1': 2,
    '': 3,
    '@': 4,
    '#': 5,
    'a:b': 6,
    'x<y>': 7,
    é: 8,
    題: 9,
    '-a': 10,
    '=': 11,
    '\u1680': 12,
    '\ufeff': 13
  }
  const parsed = parseXml(writeXml(names))
  t.same(parsed, {
    _1: '2',
    a_b: ['1', '6'],
    _: ['3', '4', '5', '11', '12', '13'],
    x_y_: '7',
    é: '8',
    題: '9',
    '_-a': '10'
  })
})

t.test('characters that XML does not have are replaced', async (t) => {
  t.same(parseXml(writeXml({ a: 'x\0y\u0001\ud800\uffff', b: 'l\r\n\t]]>', c: '😀\u0085' })), {
    a: 'x\ufffdy\ufffd\ufffd\ufffd',
    b: 'l\r\n\t]]>',
    c: '😀\u0085'
  })
})

t.test('a value that contains itself is not written', async (t) => {
  const circle: { self?: unknown } = {}
  circle.self = [circle]
  const list: unknown[] = []
  list.push(list)
  for (const value of [circle, list]) t.throws(() => writeXml(value), TypeError)
})

t.test('errors have their own layout', async (t) => {
  const facts = {
    statusCode: 404,
    name: 'Error',
    message: 'Unknown "Painting" id <9>.',
    code: 'MODEL_NOT_FOUND',
    details: { id: 3 }
  }
  const xml = [
    "<?xml version='1.0'?>",
    '<error>',
    '    <statusCode>404</statusCode>',
    '    <name>Error</name>',
    '    <message>Unknown "Painting" id &lt;9>.</message>',
    '    <code>MODEL_NOT_FOUND</code>',
    '    <details>',
    '        <id>3</id>',
    '    </details>',
    '</error>'
  ].join('\n')
  t.equal(writeErrorXml(facts), xml)
  t.match(writeErrorXml({ statusCode: 500 }, 'fault'), /<fault>\n {4}<statusCode>500<\/statusCode>\n<\/fault>$/)
  t.match(
    writeErrorXml({ details: [{ a: 1 }, null] }),
    /<details>\n {8}<a>1<\/a>\n {4}<\/details>\n {4}<details>null<\/details>/
  )
})

t.test('every value is well-formed XML', async (t) => {
  const key = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.string())
  const value = fc.object({
    key,
    maxDepth: 5,
    values: [fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)]
  })
  fc.assert(
    fc.property(value, (object) => {
      t.equal(XMLValidator.validate(writeXml(object)), true)
    }),
    { numRuns: 100 }
  )
})

t.test('texts come back as they were', async (t) => {
  const leaf = fc.string({ unit: 'grapheme', minLength: 1 })
  const keys = fc.constantFrom('a', 'b', 'c', 'd_e', 'é')
  fc.assert(
    fc.property(fc.dictionary(keys, leaf, { minKeys: 1 }), (object) => {
      t.strictSame(parseXml(writeXml(object)), { ...object })
    })
  )
})
