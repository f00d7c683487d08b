import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'

const skip = await whyNoServer()

async function open(t: Test, session: Readonly<Record<string, number>>) {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const registry = new ModelRegistry()
  const { connector } = registry.addDataSource('db', mysql({ url, session }))
  registry.define({
    name: 'Item',
    strict: true,
    properties: { id: { type: 'number', id: true, generated: true }, name: 'string' }
  })
  registry.attach('Item', 'db')
  t.teardown(() => registry.disconnect())
  await connector.migrate?.([registry.typeOf('Item')], { empty: false })
  return { registry, url }
}

const named = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}` }))

for (const [increment, offset] of [
  [1, 1],
  [3, 1],
  [3, 2],
  [10, 7]
] as const)
  void t.test(
    `ids of several records that the database makes ${increment} apart, from ${offset}`,
    { skip },
    async (t) => {
      const { registry, url } = await open(t, { auto_increment_increment: increment, auto_increment_offset: offset })
      const Item = registry.get('Item')
      await Item.create({ name: 'first' })
      const made = await Item.create(named(5))
      const stored = await runOn(url, "select id, name from Item where name like 'n%' order by name")
      t.equal(stored.length, 5)
      t.same(
        made.map(({ id, name }) => ({ id, name })),
        stored
      )
      await registry.transaction(async () => {
        const [one, two] = await Item.create(named(2))
        t.match(await Item.findById(two?.id), { name: 'n1' }, 'in a transaction, too')
        t.equal(Number(two?.id) - Number(one?.id), increment)
      })
    }
  )
