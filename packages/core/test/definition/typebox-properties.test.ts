import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { toProperties } from '#src/definition/typebox-properties.ts'

const propertyOf = (schema: TSchema, name = 'value') => toProperties(Type.Object({ [name]: schema }), 'Sample')[name]

const kinds: readonly (readonly [title: string, schema: TSchema, type: unknown])[] = [
  ['String', Type.String(), 'string'],
  ['Number', Type.Number(), 'number'],
  ['Integer', Type.Integer(), 'integer'],
  ['Boolean', Type.Boolean(), 'boolean'],
  ['Date', Type.Date(), 'date'],
  ['date-time text', Type.String({ format: 'date-time' }), 'dateString'],
  ['date text', Type.String({ format: 'date' }), 'dateString'],
  ['other format', Type.String({ format: 'email' }), 'string'],
  ['TemplateLiteral', Type.TemplateLiteral('a${string}'), 'string'],
  ['RegExp', Type.RegExp(/^a/), 'string'],
  ['Uint8Array', Type.Uint8Array(), 'buffer'],
  ['Array', Type.Array(Type.Integer()), ['integer']],
  ['Array of arrays', Type.Array(Type.Array(Type.Date())), [['date']]],
  ['Tuple', Type.Tuple([Type.String(), Type.Number()]), 'array'],
  ['Record', Type.Record(Type.String(), Type.Number()), 'object'],
  ['Any', Type.Any(), 'any'],
  ['Unknown', Type.Unknown(), 'any'],
  ['Unsafe without keywords', Type.Unsafe({}), 'any'],
  ['Literal text', Type.Literal('a'), 'string'],
  ['Literal number', Type.Literal(1), 'number'],
  ['Literal boolean', Type.Literal(true), 'boolean'],
  ['Literals', Type.Union([Type.Literal('a'), Type.Literal('b')]), 'string'],
  ['Literal numbers', Type.Union([Type.Literal(1), Type.Literal(2)]), 'number'],
  ['Literals of several types', Type.Union([Type.Literal(1), Type.Literal('b')]), 'any'],
  ['Enum', Type.Enum({ A: 'a', B: 'b' }), 'string'],
  ['Union', Type.Union([Type.String(), Type.Number()]), 'any'],
  ['Intersect', Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]), 'any'],
  ['Nullable', Type.Union([Type.Number(), Type.Null()]), 'number'],
  ['Nullable literals', Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]), 'string'],
  ['Nullable array', Type.Union([Type.Array(Type.String()), Type.Null()]), ['string']],
  ['Optional', Type.Optional(Type.Boolean()), 'boolean'],
  ['Optional nullable', Type.Optional(Type.Union([Type.Null(), Type.Date()])), 'date'],
  ['Unsafe with a type of ours', Type.Unsafe({ modelwireType: 'geopoint' }), 'geopoint']
]

t.test('every kind of schema has its counterpart among the types of model files', async (t) => {
  for (const [title, schema, type] of kinds) t.strictSame(propertyOf(schema)?.type, type, title)
})

t.test('an object declares nested properties', async (t) => {
  const schema = Type.Object({ city: Type.String({ minLength: 2 }), id: Type.Optional(Type.Number()) })
  t.match(propertyOf(schema)?.type, { city: { type: 'string' }, id: { type: 'number', id: undefined } })
  t.match(propertyOf(Type.Array(schema))?.type, [{ city: { type: 'string' } }])
})

t.test('a schema without a counterpart is refused with its place', async (t) => {
  for (const schema of [Type.Function([], Type.Any()), Type.BigInt(), Type.Symbol(), Type.Not(Type.String())]) {
    const error = { code: 'PROPERTY_TYPE_UNKNOWN', where: { model: 'Sample', key: 'properties.value' } }
    t.throws(() => propertyOf(schema), error)
    const nested = { code: 'PROPERTY_TYPE_UNKNOWN', where: { key: 'properties.value.inner' } }
    t.throws(() => propertyOf(Type.Object({ inner: schema })), nested)
  }
})

const requirements: readonly (readonly [title: string, schema: TSchema, required: boolean])[] = [
  ['plain', Type.String(), true],
  ['optional', Type.Optional(Type.String()), false],
  ['nullable', Type.Union([Type.String(), Type.Null()]), false],
  ['with a default', Type.String({ default: 'x' }), false],
  ['with a default function', Type.String({ defaultFn: 'uuid' }), false],
  ['union without null', Type.Union([Type.String(), Type.Number()]), true]
]

t.test('what is neither optional nor nullable nor made by default is required', async (t) => {
  for (const [title, schema, required] of requirements) t.equal(propertyOf(schema)?.required, required, title)
})

const ids: readonly (readonly [title: string, schema: TSchema, facts: object])[] = [
  ['number', Type.Number(), { id: true, generated: true, required: false }],
  ['integer', Type.Integer(), { id: true, generated: true, required: false }],
  ['text', Type.String(), { id: true, generated: false }],
  ['number of the client', Type.Number({ generated: false }), { id: true, generated: false, required: true }],
  ['text of the database', Type.String({ generated: true }), { id: true, generated: true, required: false }]
]

t.test('the property named id is the id, generated where it is a number', async (t) => {
  for (const [title, schema, facts] of ids) t.match(propertyOf(schema, 'id'), facts, title)
  t.match(propertyOf(Type.String({ id: true }), 'isbn'), { id: true, generated: false })
  t.match(propertyOf(Type.String(), 'isbn'), { id: undefined })
})

t.test('a number among several ids says whether the database makes it', async (t) => {
  const withTenant = (id: TSchema) => toProperties(Type.Object({ id, tenant: Type.String({ id: true }) }), 'Item')
  for (const open of [Type.Integer({ id: true }), Type.Number({ id: true })])
    t.throws(() => withTenant(open), { code: 'MODEL_DEFINITION_INVALID', where: { key: 'properties.id' } })
  t.match(withTenant(Type.Integer({ id: true, generated: true })), {
    id: { id: true, generated: true, required: false },
    tenant: { id: true, generated: false, required: true }
  })
  t.match(withTenant(Type.Integer({ id: true, generated: false }))['id'], {
    id: true,
    generated: false,
    required: true
  })
})

t.test('settings of a property are kept', async (t) => {
  const settings = {
    index: true,
    unique: true,
    hidden: true,
    description: 'words',
    default: 'x',
    defaultFn: 'uuid',
    length: 5,
    postgresql: { columnName: 'v' }
  }
  t.match(propertyOf(Type.String(settings)), settings)
})

const keywords: readonly (readonly [schema: TSchema, rules: object])[] = [
  [Type.String({ minLength: 1, maxLength: 3, pattern: '^a' }), { minLength: 1, maxLength: 3, pattern: '^a' }],
  [Type.String({ format: 'email' }), { format: 'email' }],
  [Type.Number({ minimum: 1, exclusiveMaximum: 9, multipleOf: 2 }), { minimum: 1, exclusiveMaximum: 9, multipleOf: 2 }],
  [Type.Array(Type.String(), { minItems: 1, maxItems: 2 }), { minItems: 1, maxItems: 2 }],
  [Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]), { enum: ['a', 'b'] }],
  [Type.Literal(5), { enum: [5] }],
  [Type.Union([Type.String({ minLength: 2 }), Type.Null()]), { minLength: 2 }],
  [Type.RegExp(/^a/), { pattern: '^a' }]
]

t.test('keywords of a schema are kept for the rules', async (t) => {
  for (const [schema, rules] of keywords) t.match(propertyOf(schema)?.['schema'], rules, JSON.stringify(rules))
})
