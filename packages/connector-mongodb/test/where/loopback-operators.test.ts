import { compileOptionalWhere, type ModelType, type Row } from '@modelwire/core/connector'
import t from 'tap'
import { openModels } from '../open-models.ts'

const item = {
  name: 'Item',
  properties: { name: 'string', tags: ['string'], meta: 'object', any: 'any', place: 'geopoint' }
} as const
const rows = (): Row[] => [{ name: 'lamp' }, { name: '' }, { name: null }, { meta: { size: 1 } }]

const find = (model: ModelType, where: object) =>
  model.collection?.find({ where: compileOptionalWhere(model, where), order: [], skip: 0 })

const count = async (model: ModelType, where: object): Promise<unknown> => (await find(model, where))?.length

void t.test(
  'in an application folder every text is like the empty one, as with the connector of LoopBack',
  async (t) => {
    const { model } = await openModels(t, [item], {}, { compat: true })
    await model('Item').collection?.insert(rows())
    t.match(await find(model('Item'), { name: { like: '' } }), [{ name: 'lamp' }, { name: '' }])
    t.equal(await count(model('Item'), { name: { like: '' } }), 2)
    t.match(await find(model('Item'), { name: { nlike: '' } }), [{ name: null }, { meta: { size: 1 } }])
    t.equal(await count(model('Item'), { name: { nlike: '' } }), 2)
  }
)

void t.test('elsewhere no text is, as with other connectors', async (t) => {
  const { model } = await openModels(t, [item])
  await model('Item').collection?.insert(rows())
  for (const operator of ['like', 'nlike', 'ilike', 'nilike'])
    t.equal(await count(model('Item'), { name: { [operator]: '' } }), 0, operator)
})

const operands = { exists: true, all: ['a', 'b'], size: 2, elemMatch: { eq: 'a' } } as const

for (const compat of [false, true])
  void t.test(`operators of MongoDB are refused wherever they stand${compat ? ', as in LoopBack' : ''}`, async (t) => {
    const { model } = await openModels(t, [item], {}, { compat })
    const refused = { code: 'INVALID_FILTER', statusCode: 400 }
    for (const [operator, operand] of Object.entries(operands))
      for (const key of ['name', 'tags', 'meta', 'any', 'place', 'undeclared', 'meta.deep', 'tags.0'])
        t.throws(() => find(model('Item'), { [key]: { [operator]: operand } }), refused, `${operator} on ${key}`)
    const byObject = async (): Promise<unknown> => count(model('Item'), { meta: { colour: 'red' } })
    if (compat) t.equal(await byObject(), 0, 'an object is equal to itself alone')
    else await t.rejects(byObject, refused, 'nothing would be equal to an object')
  })
