import t from 'tap'
import type { ModelFile } from '#src/read/models/find-model-files.ts'
import { orderModels } from '#src/assemble/application/load-models.ts'

function files(bases: Record<string, string | undefined>): ReadonlyMap<string, ModelFile> {
  const models = Object.entries(bases).map(([name, base]) => {
    const definition = base === undefined ? { name } : { name, base }
    return [name, { file: `${name}.json`, script: undefined, definition }] as const
  })
  return new Map(models)
}

const names = (ordered: ModelFile[]): string[] => ordered.map(({ definition }) => definition.name)

void t.test('puts bases before the models that extend them', async (t) => {
  const known = files({ A: 'B', B: 'C', C: 'PersistedModel', D: 'B', E: undefined })
  t.strictSame(names(orderModels(['A', 'D', 'E'], known)), ['C', 'B', 'A', 'D', 'E'])
})

void t.test('takes only what is needed', async (t) => {
  t.strictSame(names(orderModels(['A', 'Unknown'], files({ A: undefined, B: undefined }))), ['A'])
})

void t.test('refuses a circle, naming file and models', async (t) => {
  const known = files({ A: 'B', B: 'C', C: 'B' })
  t.throws(() => orderModels(['A'], known), {
    code: 'BASE_MODEL_CYCLE',
    where: { file: 'B.json', key: 'base' },
    message: /B → C → B/
  })
})
