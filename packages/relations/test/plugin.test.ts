import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition, ModelRegistry } from '@modelwire/core'
import Fastify from 'fastify'
import t from 'tap'
import { installRelations, relations } from '#src/index.ts'
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
    'is called like a method of records',
    { name: 'A', relations: { save: { type: 'belongsTo', model: 'A' } } },
    'RELATION_INVALID',
    'relations.save'
  ],
  [
    'is called like a property',
    { name: 'A', properties: { a: 'string' }, relations: { a: { type: 'belongsTo', model: 'A' } } },
    'RELATION_INVALID',
    'relations.a'
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

void t.test('a scope must not hide a method of the model', async (t) => {
  await t.rejects(makeApp(t, [{ name: 'A', scopes: { find: {} } }]), { code: 'RELATION_INVALID' })
})

void t.test('once routes are mounted, relations cannot be declared any more', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'A', properties: {} })
  const installed = installRelations(registry)
  registry.seal()
  const model = registry.typeOf('A')
  t.throws(() => installed.declare(model, 'a', { type: 'belongsTo', model: 'A' }), { code: 'REGISTRY_SEALED' })
})

void t.test('in compat mode a property of the same name is what records show', async (t) => {
  const definition = { name: 'A', properties: { a: 'string' }, relations: { a: { type: 'belongsTo', model: 'A' } } }
  const test = await makeApp(t, [definition], { compat: true })
  t.match((await test.send('POST', '/As', { a: 'text' })).body, { a: 'text' })
})
