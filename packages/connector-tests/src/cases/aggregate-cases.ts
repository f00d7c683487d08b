import type { AggregateQuery, Collection, MeasureColumn, ModelType, PropertyType, Row } from '@modelwire/core/connector'
import { conditionsOn } from '../conditions.ts'
import { items } from '../fixtures.ts'
import type { TestCase } from '../test-case.ts'

const plain = { id: false, generated: false, required: false, nullable: true, index: false, unique: false }
const valueOf = (name: string, kind: 'integer' | 'number' | 'boolean' | 'date' | 'string'): PropertyType => ({
  ...plain,
  name,
  type: { kind },
  definition: { type: kind }
})

function propertyOf({ byName }: ModelType, name: string): PropertyType {
  const property = byName.get(name)
  if (property === undefined) throw new Error(`the fixture has no property ${name}`)
  return property
}

const nothing = { where: undefined, having: undefined, limit: undefined, skip: 0 }

/** Counts of records, and sums of prices, by whether they are active. */
function byActive(Item: ModelType): AggregateQuery {
  const active = {
    value: valueOf('active', 'boolean'),
    isDecimal: false,
    property: propertyOf(Item, 'active'),
    part: undefined
  }
  const count = {
    value: valueOf('n', 'integer'),
    isDecimal: false,
    fn: 'count',
    property: undefined
  } satisfies MeasureColumn
  const price = propertyOf(Item, 'price')
  const sum = {
    value: valueOf('total', 'number'),
    isDecimal: false,
    fn: 'sum',
    property: price
  } satisfies MeasureColumn
  return { ...nothing, groups: [active], measures: [count, sum], order: [{ column: active, descending: false }] }
}

function total(active: boolean | null): Row {
  const members = items.filter((item) => (item['active'] ?? null) === active)
  return { active, n: members.length, total: members.reduce((sum, { price }) => sum + Number(price ?? 0), 0) }
}

/** Undefined: the connector leaves sums to core, which reads its rows. */
const ask = async (collection: Collection, query: AggregateQuery): Promise<Row[] | undefined> =>
  collection.aggregate?.(query)

/** Sums and groups of connectors that compute them. */
export const aggregateCases: readonly TestCase[] = [
  {
    name: 'groups hold null as a value, in the order of the query',
    run: async (t, { models: { Item: model }, collections: { Item } }) => {
      await Item.insert(structuredClone(items).map((item) => ({ ...item })))
      const query = byActive(model)
      const rows = await ask(Item, query)
      if (rows !== undefined) t.same(rows, [total(null), total(false), total(true)])
      const { is } = conditionsOn(model)
      const some = await ask(Item, { ...query, where: is('active', 'eq', true), limit: 1 })
      if (some !== undefined) t.same(some, [total(true)])
    }
  },
  {
    name: 'no rows have no groups, and without groups one row',
    run: async (t, { models: { Item: model }, collections: { Item } }) => {
      const query = byActive(model)
      const [grouped, whole] = [await ask(Item, query), await ask(Item, { ...query, groups: [], order: [] })]
      if (grouped !== undefined) t.same(grouped, [])
      if (whole !== undefined) t.same(whole, [{ n: 0, total: null }])
    }
  }
]
