import t from 'tap'
import { compileFilter, compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const model = buildModels([{ name: 'Item', properties: { name: 'string', price: 'number' } }]).typeOf('Item')
const small = clientCall({ depth: 3, conditions: 4, listItems: 5 })

const nested = (levels: number): unknown =>
  Array.from({ length: levels - 1 }).reduce<unknown>((inner) => ({ and: [inner] }), { price: 1 })

const wide = (conditions: number) =>
  Object.fromEntries(Array.from({ length: conditions }, (_, index) => [`p${index}`, index]))

const list = (length: number) => Array.from({ length }, (_, index) => index)

const allowed: readonly object[] = [
  { where: nested(3) },
  { where: wide(4) },
  { where: { or: [wide(2), wide(2)] } },
  { where: { price: { inq: list(5) } } },
  { where: { price: { nin: list(5) } } },
  { where: { or: list(4).map((price) => ({ price })) } },
  { order: list(5).map((n) => `p${n}`) }
]

const refused: readonly object[] = [
  { where: nested(4) },
  { where: nested(5000) },
  { where: wide(5) },
  { where: { or: [wide(3), wide(2)] } },
  { where: { price: { inq: list(6) } } },
  { where: { price: { nin: list(6) } } },
  { where: { or: list(6).map(() => ({})) } },
  { where: { price: { gt: 1, lt: 2, gte: 3, lte: 4, neq: 5 } } },
  { order: list(6).map((n) => `p${n}`) },
  { order: list(6).join(',') },
  { fields: list(6).map(String) },
  { fields: wide(6) }
]

t.test('filters within the limits are compiled', async () => {
  for (const filter of allowed) compileFilter(model, filter, small)
})

t.test('larger filters are refused', async (t) => {
  for (const filter of refused) {
    const error = { code: 'LIMIT_EXCEEDED', statusCode: 400 }
    t.throws(() => compileFilter(model, filter, small), error)
  }
})

t.test('a where alone has the same limits', async (t) => {
  t.throws(() => compileOptionalWhere(model, wide(5), small), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => compileOptionalWhere(model, nested(4), small), { code: 'LIMIT_EXCEEDED' })
})

t.test('filters of code may be larger', async () => {
  compileFilter(model, { where: { price: { inq: list(100_000) } } })
  compileFilter(model, { where: wide(1000) })
})
