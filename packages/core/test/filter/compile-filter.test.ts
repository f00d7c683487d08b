import { serverCall } from '#src/access/call.ts'
import t from 'tap'
import { compileFilter, whereOptions } from '#src/filter/compile-filter.ts'
import { defaultQueryLimits } from '#src/limits/limits.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const model = buildModels([
  {
    name: 'Item',
    hidden: ['secret'],
    properties: {
      name: 'string',
      price: 'number',
      secret: 'string',
      origin: { zone: 'number' },
      lines: [{ n: 'number' }]
    }
  }
]).typeOf('Item')

const client = { options: { prohibitHiddenPropertiesInQuery: true } }

t.test('no filter asks for everything', async (t) => {
  for (const raw of [undefined, null]) t.strictSame(compileFilter(model, raw), { order: [], skip: 0 })
  t.match(compileFilter(model, {}), { where: undefined, order: [], limit: undefined, skip: 0, fields: undefined })
  t.equal(compileFilter(model, { where: {} }).where, undefined)
  t.equal(compileFilter(model, { where: null }).where, undefined)
})

t.test('a filter is an object', async (t) => {
  for (const raw of ['x', 5, true, [], [{}], new Date()]) {
    t.throws(() => compileFilter(model, raw), { code: 'INVALID_FILTER', statusCode: 400 }, JSON.stringify(raw))
  }
})

t.test('include is handed on as it is, unknown keys are not noticed', async (t) => {
  const include = [{ relation: 'author' }]
  t.equal(compileFilter(model, { include, nonsense: 1 }).include, include)
})

type Counts = readonly (readonly [part: object, limit: number | undefined, skip: number])[]

const counts: Counts = [
  [{ limit: 5 }, 5, 0],
  [{ limit: '5', skip: '2' }, 5, 2],
  [{ limit: 0 }, undefined, 0],
  [{ limit: '' }, undefined, 0],
  [{ limit: null }, undefined, 0],
  [{ limit: true }, 1, 0],
  [{ offset: 3 }, undefined, 3],
  [{ skip: 1, offset: 3 }, undefined, 1],
  [{ skip: 0, offset: 3 }, undefined, 3],
  [{ limit: 9_007_199_254_740_991 }, 9_007_199_254_740_991, 0]
]

t.test('limit, skip and offset are whole numbers', async (t) => {
  for (const [part, limit, skip] of counts) t.match(compileFilter(model, part), { limit, skip }, JSON.stringify(part))
  for (const wrong of [-1, 1.5, 'x', '1.5', [1], {}, NaN, Infinity, '1e400']) {
    for (const name of ['limit', 'skip', 'offset']) {
      t.throws(() => compileFilter(model, { [name]: wrong }), { code: 'INVALID_FILTER' }, `${name} ${String(wrong)}`)
    }
  }
  t.throws(() => compileFilter(model, { limit: '0' }), { code: 'INVALID_FILTER' }, 'only the number 0 means no limit')
})

t.test('in compat mode a page that skips records and names no limit has 100', async (t) => {
  const old = buildModels([{ name: 'Item' }], { compat: true }).typeOf('Item')
  const asked = [{ skip: 2 }, { offset: '3' }, { skip: 2, limit: 0 }, { skip: 2, limit: 500 }, { skip: 0 }, {}]
  t.strictSame(
    asked.map((raw) => compileFilter(old, raw).limit),
    [100, 100, 100, 500, undefined, undefined]
  )
  t.equal(compileFilter(model, { skip: 2 }).limit, undefined)
  for (const nothing of [NaN, false])
    t.match(compileFilter(old, { limit: nothing, skip: nothing, offset: 0 }), { limit: undefined, skip: 0 })
})

const clause = (path: string, descending = false) => ({ path: path.split('.'), descending })

const orders: readonly (readonly [order: unknown, clauses: readonly object[]])[] = [
  [undefined, []],
  [null, []],
  ['', []],
  [[], []],
  ['price', [clause('price')]],
  ['price DESC', [clause('price', true)]],
  ['price  desc', [clause('price', true)]],
  ['price ASC more', [clause('price')]],
  ['price DESC , name', [clause('price', true), clause('name')]],
  [
    ['price DESC', 'name ASC'],
    [clause('price', true), clause('name')]
  ],
  [{ 0: 'price', 1: 'name' }, [clause('price'), clause('name')]],
  ['price,', [clause('price')]],
  ['origin.zone', [clause('origin.zone')]],
  ['unknown', [clause('unknown')]]
]

t.test('an order is a text, a list of texts or a list in brackets', async (t) => {
  for (const [order, clauses] of orders) t.match(compileFilter(model, { order }).order, clauses, JSON.stringify(order))
  const types = compileFilter(model, { order: ['price', 'origin.zone', 'lines.n', 'lines.0.n', 'nothing'] }).order
  t.strictSame(
    types.map(({ type }) => type?.kind),
    ['number', 'number', 'number', 'number', undefined]
  )
})

t.test('a malformed order is refused', async (t) => {
  for (const order of [
    'price UP',
    ' price',
    'price DESC; DROP',
    5,
    true,
    {},
    { price: 'DESC' },
    [5],
    [null],
    [['price']]
  ]) {
    t.throws(() => compileFilter(model, { order }), { code: 'INVALID_FILTER' }, JSON.stringify(order))
  }
})

t.test('an order of many blanks takes no time', async (t) => {
  const start = performance.now()
  t.throws(() => compileFilter(model, { order: `price${' '.repeat(100_000)}x` }), { code: 'INVALID_FILTER' })
  t.ok(performance.now() - start < 500)
})

const fields: readonly (readonly [fields: unknown, names: readonly string[] | undefined])[] = [
  [undefined, undefined],
  [null, undefined],
  ['', undefined],
  [[], undefined],
  [{}, undefined],
  [5, undefined],
  ['name', ['name']],
  [
    ['name', 'id', 5],
    ['name', 'id']
  ],
  [{ 0: 'name' }, ['name']],
  [{ name: true, price: false }, ['name']],
  [{ name: 'false' }, ['name']],
  [{ name: false }, ['price', 'secret', 'origin', 'lines', 'id']],
  [['unknown'], ['unknown']]
]

t.test('fields are names to keep or to leave out', async (t) => {
  for (const [written, names] of fields) {
    const compiled = compileFilter(model, { fields: written }).fields
    t.strictSame(compiled && [...compiled], names, JSON.stringify(written))
  }
  for (const dotted of ['origin.zone', ['origin.zone'], { 'origin.zone': true }]) {
    t.throws(() => compileFilter(model, { fields: dotted }), { code: 'INVALID_FILTER' })
  }
})

t.test('clients cannot order by hidden properties, code can', async (t) => {
  for (const order of ['secret', ['name', 'secret DESC'], 'secret.a']) {
    t.throws(() => compileFilter(model, { order }, client), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
    t.ok(compileFilter(model, { order }))
  }
})

t.test('applications of LoopBack may order by a hidden id, and by no other hidden property', async (t) => {
  const definition = { name: 'Resource', hidden: ['id', 'secret'], properties: { secret: 'string' } }
  const models = { compat: buildModels([definition], { compat: true }), own: buildModels([definition]) }
  const refused = { code: 'HIDDEN_PROPERTY_IN_FILTER' }
  const folder = models.compat.typeOf('Resource')
  t.match(compileFilter(folder, { order: 'id DESC' }, client).order, [{ path: ['id'], descending: true }])
  for (const order of ['secret', ['id', 'secret'], 'id.length'])
    t.throws(() => compileFilter(folder, { order }, client), refused)
  t.match(compileFilter(folder, { where: { id: 1 } }, client), { where: undefined }, 'conditions tell nothing')
  t.throws(() => compileFilter(models.own.typeOf('Resource'), { order: 'id' }, client), refused)
})

t.test('clients have limits, code has none', async (t) => {
  t.equal(whereOptions(client).budget.limits, defaultQueryLimits)
  t.equal(whereOptions(serverCall()).budget.limits.conditions, Infinity)
  t.equal(whereOptions(undefined).budget.limits.depth, Infinity)
  const limits = { depth: 1, conditions: 1, listItems: 1 }
  t.equal(whereOptions(clientCall(limits)).budget.limits, limits)
})
