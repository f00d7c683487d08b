import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compositeIdTests, filterOf } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { memory } from '#src/memory.ts'
import { makeDataFolder } from './fixtures/data-folder.ts'
import { openMemory } from './fixtures/open-memory.ts'

void t.test('ids of several properties', async (t) =>
  compositeIdTests(t, { name: 'memory', create: () => memory({ transactions: true }) })
)

void t.test('a write that the file does not take is undone', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const keyed = { shop: { type: 'string', id: 1 }, region: { type: 'number', id: 2 }, amount: 'number' } as const
  const { collection } = await openMemory(t, [{ name: 'Price', properties: keyed }], { file })
  const Price = collection('Price')
  await Price.insert([
    { shop: 'a', region: 1, amount: 1 },
    { shop: 'a', region: 2, amount: 2 }
  ])
  await rm(`${file}.journal`)
  const change = async (): Promise<unknown> => Price.upsert({ shop: 'a', region: 1, amount: 1 })
  await until(
    async () =>
      change().then(
        () => false,
        () => true
      ),
    'the journal to be missed'
  )
  const unavailable = { code: 'DATA_SOURCE_UNAVAILABLE' }
  await t.rejects(async () => Price.upsert({ shop: 'a', region: 1, amount: 9 }), unavailable)
  await t.rejects(async () => Price.insert([{ shop: 'b', region: 1, amount: 9 }]), unavailable)
  await t.rejects(async () => Price.delete({ kind: 'test', path: ['region'], test: 'equals', value: 2 }), unavailable)
  t.match(await Price.find(filterOf({})), [{ amount: 1 }, { amount: 2 }])
  t.equal(await Price.count(undefined), 2)
})
