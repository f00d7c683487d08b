import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

/** Starts an application whose calls are guarded, and gives what its log warned of. */
async function start(t: Test, role: Partial<ModelDefinition>, compat = false): Promise<string[]> {
  const warnings: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void warnings.push(line) } } })
  t.teardown(() => app.close())
  const models = [
    { name: 'Role', properties: { name: 'string' }, ...role },
    { name: 'Team', base: 'Role', public: false }
  ] as const
  await app.register(modelwire, { dataSources: { db: memory() }, models, compat })
  app.models.addGuardSource(() => () => {})
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return warnings.filter((line) => line.includes('control access'))
}

const acls = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }] as const

t.test('a new application does not let everybody write roles', async (t) => {
  await t.rejects(start(t, { public: true }), { code: 'ACCESS_MODEL_OPEN', where: { model: 'Role' } })
  await t.rejects(start(t, { public: true, acls: [] }), { code: 'ACCESS_MODEL_OPEN' })
})

t.test('rules, or a model that is not public, are what it takes', async (t) => {
  t.strictSame(await start(t, { public: true, acls: [...acls] }), [])
  t.strictSame(await start(t, { public: false }), [])
})

t.test('an application of LoopBack starts, and tells it once', async (t) => {
  t.equal((await start(t, { public: true }, true)).length, 1)
})
