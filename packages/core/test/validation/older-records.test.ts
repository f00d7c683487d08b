import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { repository } from '#src/plugin-api.ts'
import { onlyId } from '#src/repository/records/identify.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const order: ModelDefinition = {
  name: 'Order',
  properties: {
    name: 'string',
    status: { type: 'string', default: 'new' },
    token: { type: 'string', defaultFn: 'uuidv4' },
    place: { type: 'string', nullable: false }
  }
}

/** A model with one record. @returns it, and what makes the record one from before its properties had defaults */
async function makeOrder(more: Partial<ModelDefinition> = {}) {
  const models = buildModels([{ ...order, ...more }])
  const Order = models.get('Order')
  const model = models.typeOf('Order')
  await Order.create({ name: 'a' })
  const makeOld = async (): Promise<unknown> =>
    model.collection?.update(onlyId(model, 1), { name: 'a', status: null, token: null, place: null })
  return { Order, model, makeOld }
}

t.test('older records, which lack what has a default now, can be changed', async (t) => {
  for (const more of [{}, { applyDefaultsOnReads: false }, { forceId: false }]) {
    const { Order, model, makeOld } = await makeOrder(more)
    const changes = [
      async () => (await Order.findById(1))?.patchAttributes({ name: 'b' }),
      async () => repository.patchForResponse(model, 1, { name: 'b' }, clientCall()),
      async () => repository.upsertWithWhere(model, { name: 'a' }, { name: 'b' }, clientCall()),
      async () => repository.patchOrCreate(model, { id: 1, name: 'b' }, clientCall()),
      async () => repository.updateAll(model, {}, { name: 'b' }, clientCall()),
      async () => Object.assign((await Order.findById(1)) ?? new Order(), { name: 'b' }).save(),
      async () =>
        Object.assign((await Order.findOne({ fields: { id: true, name: true } })) ?? new Order(), { name: 'b' }).save()
    ]
    for (const change of changes) {
      await makeOld()
      await change()
      t.match(await Order.findById(1), { name: 'b' }, `${JSON.stringify(more)} ${String(change)}`)
    }
  }
})

t.test('a null that was not stored is refused by all of them', async (t) => {
  const { Order, model } = await makeOrder()
  const invalid = { code: 'VALIDATION_FAILED', details: { codes: { status: ['presence'] } } }
  const status = null
  await t.rejects(async () => (await Order.findById(1))?.patchAttributes({ status }), invalid)
  await t.rejects(repository.patchForResponse(model, 1, { status }, clientCall()), invalid)
  await t.rejects(repository.upsertWithWhere(model, { name: 'a' }, { status }, clientCall()), invalid)
  await t.rejects(async () => Object.assign((await Order.findById(1)) ?? new Order(), { status }).save(), invalid)
  t.match(await Order.findById(1), { status: 'new' })
})

t.test('a default stands for the null of an older record, but not in application folders', async (t) => {
  const { Order, makeOld } = await makeOrder()
  await makeOld()
  t.match(await Order.findById(1), { status: 'new', token: /-/, place: null })
  const Old = buildModels([order], { compat: true }).get('Order')
  await Old.create({ status: null })
  t.match(await Old.findById(1), { status: null })
})
