import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import t from 'tap'
import { installRelations } from '#src/index.ts'
import { makeApp } from '../make-app.ts'

const models: readonly ModelDefinition[] = [
  {
    name: 'Order',
    properties: { no: 'string' },
    relations: {
      lines: { type: 'embedsMany', model: 'Line', property: 'parts' },
      labels: { type: 'referencesMany', model: 'Label' }
    }
  },
  { name: 'Line', properties: { id: { type: 'string', id: true }, text: 'string' } },
  { name: 'Label', properties: { name: 'string' } }
]
const parts = [
  { id: 'a', text: 'first' },
  { id: 'b', text: 'second' }
]

type Method = (...args: unknown[]) => unknown
type Helper = Method & Record<string, Method | undefined>

async function order(test: Awaited<ReturnType<typeof makeApp>>) {
  await test.model('Label').create([{ name: 'new' }, { name: 'old' }])
  const record = await test.model('Order').create({ no: '1', parts, labelIds: [2, 1] })
  // The helpers of relations are not part of the inferred type.
  return record as unknown as { lines: Helper; labels: Helper }
}

void t.test('lists that the record holds are read by place', async (t) => {
  const { lines, labels } = await order(await makeApp(t, models))
  t.match(await lines['at']?.(1), { text: 'second' })
  t.equal(await lines['at']?.(2), null)
  t.match(await labels['at']?.(0), { name: 'old' })
  t.equal(await labels['at']?.(2), null)
})

void t.test('embedded records have LoopBack’s short names', async (t) => {
  const test = await makeApp(t, models)
  const { lines, labels } = await order(test)
  t.match(await lines['get']?.('a'), { text: 'first' })
  t.match(await lines['set']?.('a', { text: 'changed' }), { text: 'changed' })
  await lines['unset']?.('b')
  t.match((await test.get('/Orders/1')).body, { parts: [{ id: 'a', text: 'changed' }] })
  t.equal(labels['unset'], undefined)
})

void t.test('in LoopBack’s style an embedded record is there at once', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  for (const model of models) registry.define(model)
  for (const { name } of models) registry.attach(name, 'db')
  installRelations(registry, { style: { readsAtOnce: true } }).complete()
  const Order = registry.typeOf('Order').modelClass
  // The helpers of relations are not part of the inferred type.
  const { lines } = (await Order.create({ no: '1', parts })) as unknown as { lines: Helper }
  t.match(lines['at']?.(0), { text: 'first' })
  t.equal(lines['at']?.(7), null)
  t.match(await lines['at']?.(1, undefined), { text: 'second' }, 'a callback gets it later')
})
