import { memory } from '@modelwire/connector-memory'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'

const label = { name: 'Label', properties: { name: 'string', rank: 'number', at: 'date' } } as const

async function open(t: Test, settings: { readonly transactions?: boolean }) {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory(settings))
  registry.define(label)
  registry.attach('Label', 'db')
  await registry.connect()
  t.teardown(() => registry.disconnect())
  return registry.get('Label')
}

const atOnce = <Result>(work: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 40 }, (_, at) => work(at)))

for (const transactions of [false, true])
  void t.test(`of those who do the same at once one creates a record, transactions: ${transactions}`, async (t) => {
    const Label = await open(t, { transactions })
    const at = new Date(0)
    const found = await atOnce((rank) => Label.findOrCreate({ where: { name: 'x', at } }, { name: 'x', at, rank }))
    t.equal(found.filter(([, isNew]) => isNew).length, 1)
    await atOnce((rank) => Label.upsertWithWhere({ name: 'y' }, { name: 'y', rank }))
    // The order of the properties, and how their values are written, do not matter.
    await atOnce((rank) =>
      Label.upsertWithWhere(rank % 2 === 0 ? { name: 'z', rank: 1 } : { rank: '1', name: 'z' }, { name: 'z', rank: 1 })
    )
    t.equal(await Label.count(), 3)
    t.equal(await Label.count({ name: 'x' }), 1)
  })

void t.test(
  'work that waits for its turn and does the same within does not wait for itself, or for each other',
  async (t) => {
    const Label = await open(t, {})
    const other: Readonly<Record<string, string>> = { a: 'b', b: 'a' }
    Label.observe('before save', async ({ instance }) => {
      const name = String(instance?.['name'])
      if (instance?.['rank'] === 1)
        for (const each of [name, other[name] ?? ''])
          await Label.findOrCreate({ where: { name: each } }, { name: each })
    })
    await Promise.all(['a', 'b'].map((name) => Label.findOrCreate({ where: { name } }, { name, rank: 1 })))
    t.ok((await Label.count()) >= 2)
  }
)
