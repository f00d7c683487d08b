import t from 'tap'
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
