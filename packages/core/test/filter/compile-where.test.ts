import t from 'tap'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { compileCondition } from '#src/filter/match-where.ts'
import { buildModels } from '../build-models.ts'

const item = {
  name: 'Item',
  hidden: ['secret'],
  properties: {
    name: 'string',
    price: 'number',
    active: 'boolean',
    added: 'date',
    tags: ['string'],
    sizes: ['number'],
    place: 'geopoint',
    origin: { zone: 'number', address: { city: 'string' } },
    lines: [{ count: 'number' }],
    anything: 'any',
    bytes: 'buffer',
    secret: 'string'
  }
}

const model = buildModels([item]).typeOf('Item')
const compatModel = buildModels([item], { compat: true }).typeOf('Item')
const client = { options: { prohibitHiddenPropertiesInQuery: true } }

/** A condition without types, which the cases would only repeat. */
function brief(condition: unknown): unknown {
  return JSON.parse(JSON.stringify(condition ?? null, (key, value: unknown) => (key === 'type' ? undefined : value)))
}

const test = (path: string, value: unknown) => ({
  kind: 'test',
  path: path.split('.'),
  test: 'equals',
  value,
  negated: false
})
const and = (...conditions: unknown[]) => ({ kind: 'and', conditions })
const never = { kind: 'never' }
const newYear = '2020-01-01T00:00:00.000Z'

type Cases = readonly (readonly [where: unknown, condition: unknown])[]

const conditions: Cases = [
  [undefined, null],
  [null, null],
  [{}, null],
  [{ and: [] }, null],
  [{ name: 'x' }, test('name', 'x')],
  [{ name: 5 }, test('name', '5')],
  [{ name: null }, test('name', null)],
  [{ name: 'x', price: 1 }, and(test('name', 'x'), test('price', 1))],
  [{ price: '' }, test('price', 0)],
  [{ price: '1e1' }, test('price', 10)],
  [{ price: 'x' }, never],
  [{ price: { neq: 'x' } }, null],
  [{ active: 'false' }, test('active', false)],
  [{ active: 'null' }, test('active', true)],
  [{ added: '2020-01-01' }, test('added', newYear)],
  [{ added: 0 }, test('added', '1970-01-01T00:00:00.000Z')],
  [{ tags: 5 }, test('tags', '5')],
  [{ tags: ['a'] }, test('tags', 'a')],
  [{ tags: ['a', 'b'] }, never],
  [{ 'sizes.0': '5' }, test('sizes.0', 5)],
  [{ 'origin.zone': '5' }, test('origin.zone', 5)],
  [{ 'origin.address.city': 5 }, test('origin.address.city', '5')],
  [{ 'lines.count': '5' }, test('lines.count', 5)],
  [{ 'lines.0.count': '5' }, test('lines.0.count', 5)],
  [{ unknown: '5' }, test('unknown', '5')],
  [{ $or: [] }, test('$or', [])]
]

t.test('a where becomes a condition whose values have the declared types', async (t) => {
  for (const [where, condition] of conditions) {
    t.strictSame(brief(compileOptionalWhere(model, where)), condition, JSON.stringify(where))
  }
})

const logic: Cases = [
  [{ or: [] }, { kind: 'or', conditions: [] }],
  [{ or: [{ name: 'x' }] }, { kind: 'or', conditions: [test('name', 'x')] }],
  [{ nor: { 0: { name: 'x' } } }, { kind: 'nor', conditions: [test('name', 'x')] }],
  [{ and: [{}, { or: [{ price: 1 }] }] }, and(and(), { kind: 'or', conditions: [test('price', 1)] })],
  [{ name: 'x', or: [{ price: 1 }] }, and(test('name', 'x'), { kind: 'or', conditions: [test('price', 1)] })]
]

t.test('and, or and nor hold lists of conditions, also in bracket form', async (t) => {
  for (const [where, condition] of logic) {
    t.strictSame(brief(compileOptionalWhere(model, where)), condition, JSON.stringify(where))
  }
})

const malformed: readonly unknown[] = [
  'x',
  5,
  true,
  [],
  [{}],
  new Date(),
  { and: {} },
  { and: 'x' },
  { or: { name: 'x' } },
  { or: [null] },
  { or: [5] },
  { nor: [[]] },
  { added: 'x' },
  { added: true },
  { added: ['2020-01-01'] },
  { added: {} },
  { active: { yes: true } },
  { price: { gt: 1, more: 2 } },
  { price: { greater: 1 } },
  { name: { like: 'a', maxDistance: 5 } }
]

t.test('a malformed where is refused', async (t) => {
  for (const where of malformed) {
    t.throws(
      () => compileOptionalWhere(model, where),
      { code: 'INVALID_FILTER', statusCode: 400 },
      JSON.stringify(where)
    )
  }
})

t.test('operators of databases are refused wherever they stand', async (t) => {
  const error = { code: 'OPERATOR_NOT_ALLOWED_IN_QUERY', statusCode: 400, details: { operators: ['$gt'] } }
  for (const where of [{ price: { $gt: 1 } }, { and: [{ price: { $gt: 1 } }] }, { unknown: { $gt: 1, lt: 2 } }]) {
    t.throws(() => compileOptionalWhere(model, where), error)
  }
})

t.test('clients cannot filter by hidden properties, code can', async (t) => {
  const error = { code: 'HIDDEN_PROPERTY_IN_FILTER', statusCode: 400 }
  for (const where of [
    { secret: 'x' },
    { 'secret.a': 1 },
    { or: [{ name: 'x' }, { and: [{ secret: { neq: 1 } }] }] }
  ]) {
    t.throws(() => compileOptionalWhere(model, where, client), error, JSON.stringify(where))
    t.ok(compileOptionalWhere(model, where))
  }
})

t.test('values below a property are not converted in compat mode', async (t) => {
  t.strictSame(brief(compileOptionalWhere(compatModel, { 'origin.zone': '5' })), test('origin.zone', '5'))
  t.strictSame(brief(compileOptionalWhere(compatModel, { price: '5' })), test('price', 5))
})

t.test('names of the object model are names of properties that do not exist', async (t) => {
  const where = JSON.parse('{"__proto__":{"neq":1},"constructor":"x","toString":{"neq":1}}') as unknown
  t.match(brief(compileOptionalWhere(model, where)), { kind: 'and', conditions: [{}, {}, {}] })
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

t.test('an object in place of a value is a point, or refused; in compat mode it equals nothing', async (t) => {
  const shop = { name: 'Shop', properties: { place: 'geopoint', parts: 'object', price: 'number' } } as const
  const own = buildModels([shop]).typeOf('Shop')
  const nothing = { kind: 'never' } as const
  t.strictSame(compileOptionalWhere(buildModels([shop], { compat: true }).typeOf('Shop'), { parts: { a: 1 } }), nothing)
  const refusals: readonly [object, RegExp][] = [
    [{ parts: { size: 1 } }, /"parts.size"/],
    [{ parts: { neq: { size: 1 } } }, /cannot be compared with an object/],
    [{ parts: { inq: [{ size: 1 }] } }, /cannot be compared with an object/],
    [{ place: { lat: 1 } }, /must be a point/],
    [{ place: { eq: { lat: 'x', lng: 1 } } }, /must be a point/],
    [{ place: { inq: [{ lat: 1, lng: 1 }] } }, /join conditions by "or"/],
    [{ undeclared: { a: 1 } }, /"undeclared.a"/]
  ]
  for (const [where, message] of refusals)
    t.throws(() => compileOptionalWhere(own, where), { code: 'INVALID_FILTER', message }, JSON.stringify(where))
  const isThere = compileCondition(compileOptionalWhere(own, { place: { lat: '55.6', lng: 13 } }) ?? nothing).matches
  const isElsewhere = compileCondition(compileOptionalWhere(own, { place: { neq: { lat: 55.6, lng: 13 } } }) ?? nothing)
  for (const [place, is] of [
    [{ lat: 55.6, lng: 13 }, true],
    [{ lat: 55.6, lng: 12 }, false],
    [null, false]
  ] as const)
    t.strictSame([isThere({ place }), isElsewhere.matches({ place })], [is, !is])
})
