import t from 'tap'
import { readResources } from '#src/options.ts'
import { SearchNotConfigured } from '#src/index.ts'
import { suffixes, whereOf } from '#src/where-of.ts'
import { openShop } from './open-api.ts'

const resource = readResources({ resources: { Products: { search: ['name', 'sku'] } } })('Products')

const cases: readonly (readonly [name: string, filter: unknown, where: unknown])[] = [
  ['no filter', undefined, undefined],
  ['an empty one', {}, undefined],
  ['a value', { name: 'Lamp' }, { name: 'Lamp' }],
  ['several values', { name: 'Lamp', price: 5 }, { and: [{ name: 'Lamp' }, { price: 5 }] }],
  ['null', { name: null }, { name: null }],
  ['what is undefined', { name: undefined }, undefined],
  ['a list', { id: [1, 2] }, { id: { inq: [1, 2] } }],
  ['an operator', { price_gte: 5 }, { price: { gte: 5 } }],
  ['a range', { price_gte: 5, price_lt: 9 }, { and: [{ price: { gte: 5 } }, { price: { lt: 9 } }] }],
  ['an operator with a list', { price_between: [5, 9] }, { price: { between: [5, 9] } }],
  ['a name that ends like an operator', { would_like_eq: true }, { would_like: true }],
  ['a name with another ending', { net_price: 5 }, { net_price: 5 }],
  ['a name that is an operator with its underscore', { _gt: 5 }, { _gt: 5 }],
  ['a path', { 'category.name': 'Garden' }, { 'category.name': 'Garden' }],
  [
    'values below a name',
    { size: { width_gt: 5, height: 2 } },
    { and: [{ 'size.width': { gt: 5 } }, { 'size.height': 2 }] }
  ],
  [
    'conditions as they are',
    { or: [{ price: { gt: 5 } }, { name: 'x' }] },
    { or: [{ price: { gt: 5 } }, { name: 'x' }] }
  ],
  ['a property called or', { or: 1 }, { or: 1 }],
  ['a date', { added_gt: new Date(0) }, { added: { gt: new Date(0) } }],
  ['a blank search', { q: ' ' }, undefined],
  ['a search', { q: ' a.b/c ' }, { or: ['name', 'sku'].map((key) => ({ [key]: { regexp: String.raw`/a\.b\/c/i` } })) }]
]

for (const [name, filter, where] of cases)
  t.test(`the where of a filter with ${name}`, async (t) => {
    t.strictSame(whereOf(filter, resource), where)
  })

t.test('a function makes the where of a search', async (t) => {
  const own = { ...resource, search: (text: string) => ({ name: { startsWith: text } }) }
  t.strictSame(whereOf({ q: 'La' }, own), { name: { startsWith: 'La' } })
})

t.test('a search of a resource that names no properties for it is refused', async (t) => {
  const { provider } = await openShop(t)
  const error = await provider.getList('Products', { filter: { q: 'x' } }).catch((thrown: unknown) => thrown)
  t.type(error, SearchNotConfigured)
  t.match(error, { code: 'SEARCH_NOT_CONFIGURED', status: 400, message: /resources\.Products\.search/ })
})

const operands: Readonly<Record<string, unknown>> = {
  between: [1, 2],
  inq: [1],
  nin: [1],
  regexp: '^A',
  startsWith: 'A'
}
const ofTexts = new Set(['regexp', 'startsWith'])

t.test('the server knows every operator, and searches for what was typed', async (t) => {
  const { provider, app } = await openShop(t, { resources: { Products: { search: ['name', 'supplier'] } } })
  for (const suffix of suffixes) {
    const filter = { [`${ofTexts.has(suffix) ? 'name' : 'price'}_${suffix}`]: operands[suffix] ?? 1 }
    if (suffix.endsWith('like')) filter[`price_${suffix}`] = '1'
    await t.resolves(provider.getList('Products', { filter }), suffix)
  }
  await app.models.get('Product').create({ name: 'C++ (2.0) [x] $5 /a\\b', price: 1 })
  for (const q of ['c++ (2', '[x]', '$5', String.raw`/A\b`, '2.0'])
    t.equal((await provider.getList('Products', { filter: { q } })).total, 1, q)
  t.equal((await provider.getList('Products', { filter: { q: '2,0' } })).total, 0)
})
