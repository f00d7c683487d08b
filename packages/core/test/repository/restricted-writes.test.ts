import t from 'tap'
import type { Call } from '#src/contract/call.ts'
import type { ModelType } from '#src/contract/model-type.ts'
import type { Restriction } from '#src/contract/access-control.ts'
import type { Row } from '#src/contract/row.ts'
import { repository } from '#src/plugin-api.ts'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const denied = new Error('denied')
const deniedProperty = new Error('denied property')

/** Book 1 is of shop 1, book 2 is of shop 2. */
async function seed(compat = false): Promise<ModelType> {
  const registry = buildModels(
    [
      {
        name: 'Book',
        forceId: false,
        properties: { title: { type: 'string', required: true }, shop: 'number' }
      }
    ],
    { compat }
  )
  await registry.get('Book').create([
    { title: 'Dune', shop: 1 },
    { title: 'Emma', shop: 2 }
  ])
  return registry.typeOf('Book')
}

/** A client who may see and change the books of shop 1 alone, unless it is said otherwise. */
function callWithin(model: ModelType, own: Partial<Restriction> = {}): Call {
  const restriction: Restriction = {
    condition: compileOptionalWhere(model, { shop: 1 }),
    readable: undefined,
    writable: undefined,
    asWhere: () => ({ shop: 1 }),
    testRows: () => undefined,
    matches: (row) => row['shop'] === 1,
    deny: () => denied,
    denyProperty: () => deniedProperty,
    ...own
  }
  return { ...clientCall(), grant: { model, restriction } }
}

const stored = async (model: ModelType): Promise<readonly Row[] | undefined> =>
  model.collection?.find({ order: [], skip: 0 })

/** Writes to one record; whether they make one where there is none. */
const writes: Readonly<Record<string, (model: ModelType, id: number, data: object, call: Call) => Promise<unknown>>> = {
  replaceById: (model, id, data, call) => repository.replaceById(model, id, data, call),
  replaceOrCreate: (model, id, data, call) => repository.replaceOrCreate(model, { ...data, id }, call),
  patchOrCreate: (model, id, data, call) => repository.patchOrCreate(model, { ...data, id }, call),
  patchInstance: async (model, id, data, call) => {
    const current = await repository.findById(model, id, undefined, { options: {} })
    return current === null ? undefined : repository.patchInstance(model, current, data, call)
  }
}

for (const [name, write] of Object.entries(writes)) {
  t.test(`${name} denies a record outside of the restriction before it looks at the data`, async (t) => {
    const model = await seed()
    const before = await stored(model)
    for (const data of [{ title: 'New', shop: 1 }, { title: '' }])
      await t.rejects(write(model, 2, data, callWithin(model)), denied)
    t.strictSame(await stored(model), before)
    await write(model, 1, { title: 'New', shop: 1 }, callWithin(model))
    t.match(await stored(model), [{ title: 'New' }, { title: 'Emma' }])
  })

  t.test(`${name} denies a record that leaves the restriction while it is written`, async (t) => {
    const model = await seed()
    const only = compileOptionalWhere(model, { id: 1 })
    model.hooks.observe('before save', async () => void (await model.collection?.update(only, { shop: 2 })))
    await t.rejects(write(model, 1, { title: 'New', shop: 1 }, callWithin(model)), denied)
    t.match(await stored(model), [{ title: 'Dune', shop: 2 }, { title: 'Emma' }])
  })

  t.test(`${name} makes no record in place of one that goes while it is written`, async (t) => {
    const model = await seed()
    const only = compileOptionalWhere(model, { id: 1 })
    model.hooks.observe('before save', async () => void (await model.collection?.delete(only)))
    await t.rejects(write(model, 1, { title: 'New', shop: 1 }, callWithin(model)), denied)
    t.match(await stored(model), [{ title: 'Emma' }])
  })
}

for (const compat of [false, true]) {
  t.test(`properties that are not the client's to set are refused${compat ? ' in compat mode' : ''}`, async (t) => {
    const model = await seed(compat)
    const before = await stored(model)
    const call = callWithin(model, { condition: undefined, writable: new Set(['title']) })
    for (const write of Object.values(writes))
      await t.rejects(write(model, 1, { title: 'x', shop: 3 }, call), deniedProperty)
    t.strictSame(await stored(model), before)
  })
}

for (const name of ['replaceOrCreate', 'patchOrCreate']) {
  t.test(`${name} makes no record for one that an observer of access hides`, async (t) => {
    const model = await seed(true)
    model.modelClass.observe('access', (ctx) => void Object.assign(ctx.query ?? {}, { where: { title: 'Emma' } }))
    const before = await stored(model)
    for (const id of [2, 99]) {
      const write = async () => writes[name]?.(model, id, { title: 'New', shop: 1 }, callWithin(model))
      await t.rejects(write(), denied)
    }
    t.strictSame(await stored(model), before)
  })
}
