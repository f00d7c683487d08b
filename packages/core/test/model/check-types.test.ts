import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { ModelRegistry } from '#src/registry.ts'
import { buildModels } from '../build-models.ts'

const parts: readonly object[] = [
  { secret: { type: 'string', hidden: true } },
  { deeper: { type: { secret: { type: 'string', hidden: true } } } }
]

t.test('a hidden part of a plain object stops a new application: it would be shown', async (t) => {
  for (const part of parts)
    for (const type of [part, [part]]) {
      const models = [{ name: 'Desk', properties: { inner: { type } } }]
      t.throws(() => buildModels(models).seal(), {
        code: 'MODEL_DEFINITION_INVALID',
        where: { key: 'properties.secret' }
      })
      t.doesNotThrow(() => buildModels(models, { compat: true }).seal(), 'LoopBack shows it')
    }
})

t.test('whole properties are hidden, and parts may be called so', async (t) => {
  const properties = { a: { type: 'string', hidden: true }, b: { hidden: 'boolean' } } as const
  t.doesNotThrow(() => buildModels([{ name: 'Desk', properties }]).seal())
})

t.test('values of a type that nobody defined are kept as they are, where the application is told of it', async (t) => {
  const told: unknown[][] = []
  const properties = { a: 'Nonsense', list: ['Nonsense'] } as const
  const registry = new ModelRegistry({ onUnknownType: (...args) => told.push(args) })
  registry.addDataSource('db', memory())
  registry.define({ name: 'Desk', properties })
  registry.attach('Desk', 'db')
  registry.seal()
  t.strictSame(told, [
    ['Nonsense', 'Desk', 'a'],
    ['Nonsense', 'Desk', 'list']
  ])
  const Desk = registry.get('Desk')
  for (const a of ['text', 5, true, { x: 1 }, [1]]) {
    const desk = await Desk.create({ a, list: [a] })
    t.match(desk.toObject(), { a, list: [a] })
  }
})
