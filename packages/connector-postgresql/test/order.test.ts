import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import t from 'tap'

void t.test('an order without nulls is written as the index of its column has it', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const registry = new ModelRegistry()
  t.teardown(() => registry.disconnect())
  const statements: string[] = []
  const connector = postgresql({ url, onStatement: (text: string) => statements.push(text) })
  registry.addDataSource('db', connector)
  registry.define({
    name: 'Item',
    properties: { price: 'number', rank: { type: 'number', index: true }, label: 'string' }
  })
  registry.attach('Item', 'db')
  await runOn(url, 'create table item (id serial primary key, price float8, rank float8, label text)')
  await runOn(url, 'create index on item (price)') // as LoopBack makes it
  await connector.migrate?.([registry.typeOf('Item')], { empty: false })
  const Item = registry.get('Item')
  for (const price of [2, null, 1, 3]) await Item.create({ price, rank: price, label: 'a' })
  const list = async (where: object | undefined, order: string) => {
    const found = await Item.find({ ...(where && { where: where as Record<string, unknown> }), order })
    return [found.map((each) => (each as { price?: unknown }).price), /order by.*/.exec(statements.at(-1) ?? '')?.[0]]
  }
  t.same(await list({ price: { gt: 1 } }, 'price DESC'), [[3, 2], 'order by "price" desc, "id"'])
  t.same(await list({ and: [{ label: 'a' }, { price: { between: [1, 9] } }] }, 'price'), [
    [1, 2, 3],
    'order by "price", "id"'
  ])
  const last = 'order by "price" desc nulls last, "id"'
  t.same(await list(undefined, 'price DESC'), [[3, 2, 1, null], last])
  t.same(await list({ or: [{ price: { gt: 1 } }, { label: 'a' }] }, 'price DESC'), [[3, 2, 1, null], last])
  t.same(await list({ label: { gt: '' } }, 'price DESC'), [[3, 2, 1, null], last])
  const ofRank = await list({ rank: { gt: 1 } }, 'rank DESC')
  t.same(ofRank, [[3, 2], 'order by "rank" desc nulls last, "id"'], 'a migration makes indexes with places for nulls')
})
