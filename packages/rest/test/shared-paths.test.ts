import fastify from 'fastify'
import t, { type Test } from 'tap'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import { rest } from '#src/index.ts'

async function start(t: Test, models: readonly ModelDefinition[], compat = false): Promise<string> {
  const app = fastify()
  t.teardown(() => app.close())
  app.register(modelwire, { models: [...models], compat })
  app.register(rest, { prefix: '/api' })
  await app.ready()
  return 'started'
}

const one: ModelDefinition = { name: 'Product', public: true }
const same: readonly [string, ModelDefinition][] = [
  ['plural', { name: 'Ware', plural: 'Products', public: true }],
  ['path, in another case', { name: 'Ware', http: { path: '/products' }, public: true }]
]
for (const [what, other] of same) {
  t.test(`two public models with the same ${what} are refused`, async (t) => {
    await t.rejects(start(t, [one, other]), {
      code: 'MODEL_PATH_TAKEN',
      where: { model: 'Ware' },
      message: /Product and Ware/
    })
    t.equal(await start(t, [one, { ...other, public: false }]), 'started', "one that is not public is in nobody's way")
    t.equal(await start(t, [one, other], true), 'started', 'as in LoopBack')
  })
}
