import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineModel } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const lamp = {
  name: 'Lamp',
  properties: {
    watts: { type: 'number', default: 40 },
    maker: { type: 'string', default: 'unknown', nullable: true },
    label: 'string',
    shelf: { type: 'string', nullable: false },
    sizes: ['number'],
    names: [{ type: 'string', nullable: true }],
    meta: 'object',
    parts: { type: { width: 'number' } },
    rest: []
  }
} as const

const invalid = (property: string, code: string) => ({
  code: 'VALIDATION_FAILED',
  details: { codes: { [property]: [code] } }
})

t.test('null is refused for a property with a default, unless it is nullable', async (t) => {
  const Lamp = buildModels([lamp]).get('Lamp')
  t.match(await Lamp.create({ maker: null, label: null }), { watts: 40, maker: null, label: null })
  const { id } = await Lamp.create({ label: '' })
  const watts = null
  await t.rejects(Lamp.create({ watts }), invalid('watts', 'presence'))
  await t.rejects(Lamp.replaceById(id, { watts }), invalid('watts', 'presence'))
  await t.rejects(async () => (await Lamp.findById(id))?.patchAttributes({ watts }), invalid('watts', 'presence'))
  t.match(await Lamp.findById(id), { watts: 40, label: '' })
})

t.test('what is not nullable and has no default may be absent: the database fills it', async (t) => {
  const Lamp = buildModels([lamp]).get('Lamp')
  await Lamp.create({})
  await t.rejects(Lamp.create({ shelf: null }), invalid('shelf', 'presence'))
})

t.test('a null in a typed list is refused, unless its items are nullable', async (t) => {
  const Lamp = buildModels([lamp]).get('Lamp')
  await t.rejects(Lamp.create({ sizes: [1, null] }), invalid('sizes', 'presence'))
  t.match(await Lamp.create({ names: ['a', null], rest: [null] }), { names: ['a', null], rest: [null] })
  const rows = Type.Array(Type.Object({ a: Type.Integer() }))
  const Typed = defineModel(
    'Typed',
    Type.Object({ rows, marks: Type.Array(Type.Union([Type.Integer(), Type.Null()])) })
  )
  const models = buildModels([Typed])
  await t.rejects(models.get('Typed').create({ rows: [null], marks: [] }), invalid('rows', 'presence'))
  t.match(await models.get('Typed').create({ rows: [], marks: [1, null] }), { marks: [1, null] })
})

t.test('a number that is not finite is refused wherever it is', async (t) => {
  const Lamp = buildModels([lamp]).get('Lamp')
  for (const value of [Infinity, -Infinity, NaN]) {
    await t.rejects(Lamp.create({ meta: { a: [{ b: value }] } }), invalid('meta', 'number'))
    await t.rejects(Lamp.create({ parts: { width: value } }), invalid('parts', 'number'))
    await t.rejects(Lamp.create({ parts: { depth: [value] } }), invalid('parts', 'number'))
    await t.rejects(Lamp.create({ rest: [value] }), invalid('rest', 'number'))
    await t.rejects(Lamp.create({ other: { a: value } }), { statusCode: 400, code: 'INVALID_VALUE' })
    await t.rejects(Lamp.updateAll({}, { meta: { a: value } }), invalid('meta', 'number'))
  }
  t.equal(await Lamp.count(), 0)
})

t.test('a model that extends another may give up its default', async (t) => {
  const plain = { name: 'Plain', base: 'Lamp', properties: { watts: 'number' } } as const
  const models = buildModels([lamp, plain])
  t.match(await models.get('Plain').create({ watts: null }), { watts: null })
})

t.test('a model that declares a property of its base anew has the rule of its own declaration', async (t) => {
  const cases = [
    [{ nullable: false }, { required: true }, {}, false],
    [{ default: 'q' }, { required: true }, { a: '' }, false],
    [{ required: true }, { default: 'q' }, { a: '' }, true],
    [{ required: true }, { nullable: false }, {}, true]
  ] as const
  for (const [ofBase, own, sent, isTaken] of cases) {
    const models = buildModels([
      { name: 'Base', properties: { a: { type: 'string', ...ofBase } } },
      { name: 'Own', base: 'Base', properties: { a: { type: 'string', ...own } } }
    ])
    const made = models.get('Own').create(sent)
    await (isTaken ? t.resolves(made) : t.rejects(made, invalid('a', 'presence')))
    models.defineProperty('Base', 'a', { type: 'string', ...own })
    const later = models.get('Base').create(sent)
    await (isTaken ? t.resolves(later) : t.rejects(later, invalid('a', 'presence')))
  }
})

t.test('application folders accept null as LoopBack does', async (t) => {
  const Lamp = buildModels([lamp], { compat: true }).get('Lamp')
  const sent = { watts: null, shelf: null, meta: { a: Infinity } }
  t.match(await Lamp.create({ ...sent, sizes: [1, null] }), { ...sent, sizes: [1, 0] })
})
