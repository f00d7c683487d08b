import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import Fastify from 'fastify'
import t from 'tap'
import { relations } from '#src/index.ts'
import { makeApp } from './make-app.ts'

void t.test('needs the models', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(async () => app.register(relations).ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})

void t.test('an unknown option is told', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() } })
  await t.rejects(async () => app.register(relations, { includeDepth: 0 }), { code: 'OPTION_INVALID' })
})

const wrong: readonly [string, ModelDefinition, string, string][] = [
  [
    'leads to no model',
    { name: 'A', relations: { bs: { type: 'hasMany', model: 'B' } } },
    'RELATION_TARGET_MISSING',
    'relations.bs.model'
  ],
  [
    'goes through no model',
    { name: 'A', relations: { as: { type: 'hasMany', model: 'A', through: 'C' } } },
    'RELATION_TARGET_MISSING',
    'relations.as.through'
  ],
  [
    'has no type that exists',
    { name: 'A', relations: { as: { type: 'hasSome', model: 'A' } } },
    'MODEL_DEFINITION_INVALID',
    'relations.as.type'
  ]
]

for (const [what, definition, code, key] of wrong) {
  void t.test(`a relation that ${what} stops the start`, async (t) => {
    await t.rejects(makeApp(t, [definition]), { code, where: { model: 'A', key } })
  })
}

void t.test('a model that is defined later has its relations, too', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'A', properties: { name: 'string' } }]
  })
  await app.register(relations)
  app.models.define({ name: 'B', relations: { a: { type: 'belongsTo', model: 'A' } } })
  app.models.attach('B', 'db')
  const B = app.models.get('B')
  await app.models.get('A').create({ name: 'one' })
  await B.create({})
  t.strictSame(
    (await B.find({ include: 'a' })).map((each) => each.toJSON()),
    [{ id: 1 }]
  )
  app.models.seal()
  t.ok(app.models.typeOf('B').byName.has('aId'))
})
