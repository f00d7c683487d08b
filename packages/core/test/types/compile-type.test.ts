import t from 'tap'
import { compileProperty, compileType } from '#src/types/compile-type.ts'

const place = { model: 'Sample', key: 'properties.value', dottedNames: false }

function Address(): void {}
const Author = Object.assign(() => {}, { modelName: 'Writer' })

const types: readonly (readonly [reference: unknown, compiled: object])[] = [
  ['string', { kind: 'string' }],
  ['String', { kind: 'string' }],
  ['text', { kind: 'text' }],
  ['NUMBER', { kind: 'number' }],
  ['integer', { kind: 'integer' }],
  ['boolean', { kind: 'boolean' }],
  ['bool', { kind: 'boolean' }],
  ['date', { kind: 'date' }],
  ['DateString', { kind: 'dateString' }],
  ['buffer', { kind: 'buffer' }],
  ['GeoPoint', { kind: 'geopoint' }],
  ['point', { kind: 'geopoint' }],
  ['object', { kind: 'object' }],
  ['any', { kind: 'any' }],
  ['json', { kind: 'any' }],
  ['array', { kind: 'array' }],
  ['Array', { kind: 'array' }],
  ['[string]', { kind: 'array', items: { kind: 'string' } }],
  ['number[]', { kind: 'array', items: { kind: 'number' } }],
  ['[Address]', { kind: 'array', items: { kind: 'model', model: 'Address' } }],
  [[], { kind: 'array' }],
  [['any'], { kind: 'array' }],
  [['string'], { kind: 'array', items: { kind: 'string' } }],
  [[{ type: 'string' }], { kind: 'array', items: { kind: 'string' } }],
  [[['number']], { kind: 'array', items: { kind: 'array', items: { kind: 'number' } } }],
  [String, { kind: 'string' }],
  [Number, { kind: 'number' }],
  [Boolean, { kind: 'boolean' }],
  [Date, { kind: 'date' }],
  [Buffer, { kind: 'buffer' }],
  [Object, { kind: 'object' }],
  [Array, { kind: 'array' }],
  [[Date], { kind: 'array', items: { kind: 'date' } }],
  ['Address', { kind: 'model', model: 'Address' }],
  [Address, { kind: 'model', model: 'Address' }],
  [Author, { kind: 'model', model: 'Writer' }]
]

t.test('types of model files are compiled', async (t) => {
  for (const [reference, compiled] of types) t.strictSame(compileType(reference, place), compiled, String(reference))
})

t.test('an object without a type declares nested properties', async (t) => {
  const type = compileType({ city: 'string', at: { type: { lat: 'number' } } }, place)
  t.match(type, { kind: 'nested', properties: [{ name: 'city', type: { kind: 'string' } }, { name: 'at' }] })
  t.match(type.kind === 'nested' && type.byName.get('at'), { type: { kind: 'nested', properties: [{ name: 'lat' }] } })
})

const wrong: readonly unknown[] = [undefined, null, 5, true, ['string', 'number'], [null], { inner: null }]

t.test('what is no type is refused with the place', async (t) => {
  for (const reference of wrong) {
    t.throws(
      () => compileType(reference, place),
      { code: 'PROPERTY_TYPE_UNKNOWN', where: { model: 'Sample', key: /^properties\.value/ } },
      JSON.stringify(reference)
    )
  }
})

t.test('a dot in a name is refused unless the version allows it', async (t) => {
  const expected = { code: 'PROPERTY_NAME_HAS_DOT', where: { model: 'Sample' } }
  t.throws(() => compileProperty('a.b', { type: 'string' }, place), expected)
  t.throws(() => compileType({ inner: { 'a.b': 'string' } }, place), expected)
  t.equal(compileProperty('a.b', { type: 'string' }, { ...place, dottedNames: true }).name, 'a.b')
})

const flags: readonly (readonly [definition: object, flags: object])[] = [
  [{}, { id: false, generated: false, required: false, index: false, unique: false }],
  [{ id: true }, { id: true, generated: false }],
  [
    { id: 1, generated: true },
    { id: true, generated: true }
  ],
  [{ required: true }, { required: true }],
  [{ index: true }, { index: true, unique: false }],
  [{ index: { unique: true } }, { index: true, unique: true }],
  [{ index: false }, { index: false }],
  [{ unique: true }, { unique: true }],
  [{}, { nullable: true }],
  [{ id: true }, { nullable: true }],
  [{ required: true }, { nullable: false }],
  [{ required: true, nullable: true }, { nullable: false }],
  [{ default: 'a' }, { nullable: false }],
  [{ defaultFn: 'guid' }, { nullable: false }],
  [{ defaultFn: 'nothing' }, { nullable: true }],
  [{ default: null }, { nullable: true }],
  [{ default: 'a', nullable: true }, { nullable: true }],
  [{ nullable: false }, { nullable: false }],
  [{ nullable: 'N' }, { nullable: true }]
]

const loose: readonly (readonly [definition: object, flags: object])[] = [
  [{ default: 'a' }, { nullable: true }],
  [{ nullable: false }, { nullable: true }],
  [{ required: true }, { nullable: false }]
]

t.test('settings of a property become flags', async (t) => {
  for (const [definition, expected] of flags) {
    t.match(compileProperty('value', { type: 'string', ...definition }, place), expected, JSON.stringify(definition))
  }
  const takesNull = { ...place, takesNull: true }
  for (const [definition, expected] of loose)
    t.match(
      compileProperty('value', { type: 'string', ...definition }, takesNull),
      expected,
      JSON.stringify(definition)
    )
})
