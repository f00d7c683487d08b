import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { Type } from 'typebox'
import { defineModel } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'
import { models } from './check-records.ts'
import { newer, plain } from './check-styles.ts'

// Whether the lines of the files beside this one compile is told by the compiler.

t.test(
  'models of TypeBox 1 and of plain JSON Schema fill in defaults and refuse as those of TypeBox 0.34',
  async (t) => {
    for (const { Author, Book } of [models, newer, plain]) {
      const unrelated = { Author: { ...Author, relations: {} }, Book: { ...Book, relations: {} } }
      const registry = buildRegistry({ dataSources: { db: memory() }, models: unrelated }, () => {})
      const { modelClass } = registry.typeOf('Book')
      t.match(await modelClass.create({ title: 'x' }), { status: 'draft' })
      for (const [data, codes] of [
        [{ title: '' }, { title: ['length.min'] }],
        [{ title: 'x', status: 'gone' }, { status: ['inclusion'] }],
        [{ title: 'x', titel: 'y' }, { titel: ['unknown-property'] }]
      ] as const)
        await t.rejects(modelClass.create(data), { code: 'VALIDATION_FAILED', details: { codes } })
    }
  }
)

t.test('a misspelt keyword is refused with its model and property in every style', (t) => {
  const written = { type: 'object', properties: { name: { type: 'string', uniqe: true } } } as const
  const wrong = { code: 'MODEL_DEFINITION_INVALID', where: { model: 'A', key: 'properties.name' } }
  t.throws(() => defineModel('A', Type.Object({ name: Type.String({ uniqe: true }) })), wrong)
  t.throws(() => defineModel('A', written), wrong)
  t.end()
})

t.test('a property that says "required" itself is refused: it would be optional', (t) => {
  const written = { type: 'object', properties: { name: { type: 'string', required: true } } } as const
  t.throws(() => defineModel('A', written), {
    code: 'MODEL_DEFINITION_INVALID',
    message: /"required" must be a list of names next to "properties"/,
    where: { model: 'A', key: 'properties.name' }
  })
  t.doesNotThrow(() =>
    defineModel('A', { type: 'object', properties: { a: { type: 'object', properties: {}, required: [] } } })
  )
  t.end()
})

t.test('a property that is hidden or has rules must be one: a slip would show it', (t) => {
  const schema = Type.Object({ name: Type.String(), secret: Type.String() })
  const start = (settings: object): unknown => {
    const registry = buildRegistry({ models: { A: defineModel('A', schema, settings) } }, () => {})
    registry.seal()
    return registry
  }
  for (const key of ['hidden', 'protected'])
    t.throws(() => start({ [key]: ['secrt'] }), {
      code: 'MODEL_DEFINITION_INVALID',
      message: /unknown property "secrt": did you mean "secret"\?/,
      where: { model: 'A', key }
    })
  for (const validations of [{ nam: { rule: 'presence' } }, [{ property: 'nam', rule: 'presence' }]])
    t.throws(() => start({ validations }), {
      code: 'MODEL_DEFINITION_INVALID',
      where: { model: 'A', key: 'validations' }
    })
  t.doesNotThrow(() => start({ hidden: ['secret'], validations: { name: { rule: 'presence' } } }))
  t.doesNotThrow(() => start({ strict: false, hidden: ['anything'] }))
  t.doesNotThrow(() => start({ hidden: ['createdAt'], mixins: { TimeStamp: true } }))
  t.end()
})
