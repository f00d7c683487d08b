import { modelwire, type ModelDefinition } from '@modelwire/core'
import type { Transaction, Connector } from '@modelwire/core/connector'
import Fastify from 'fastify'
import t from 'tap'
import { relations } from '#src/index.ts'
import { type AnyModel, codeOf, countingConnector, makeApp } from '../make-app.ts'

const family = (onDelete: string | undefined, more: Partial<ModelDefinition> = {}): ModelDefinition[] => [
  {
    name: 'Parent',
    properties: { name: 'string' },
    relations: { children: { type: 'hasMany', model: 'Child', ...(onDelete && { onDelete }) } },
    ...more
  },
  {
    name: 'Child',
    properties: { name: 'string' },
    relations: { toys: { type: 'hasMany', model: 'Toy', onDelete: 'cascade' } }
  },
  { name: 'Toy', properties: { name: 'string' } }
]

async function start(t: Parameters<typeof makeApp>[0], models: readonly ModelDefinition[]) {
  const test = await makeApp(t, models)
  await test.send('POST', '/Parents', [{ name: 'a' }, { name: 'b' }])
  await test.send('POST', '/Parents/1/children', [{ name: 'c' }, { name: 'd' }])
  await test.send('POST', '/Children/1/toys', { name: 'e' })
  return test
}

void t.test('nothing happens to children unless the relation says so', async (t) => {
  const test = await start(t, family(undefined))
  t.strictSame((await test.send('DELETE', '/Parents/1')).body, { count: 1 })
  t.match((await test.get('/Children')).body, [{ parentId: 1 }, { parentId: 1 }])
})

void t.test('restrict keeps a parent that has children', async (t) => {
  const test = await start(t, family('restrict'))
  const answer = await test.send('DELETE', '/Parents/1')
  t.strictSame([answer.status, codeOf(answer)], [409, 'DELETION_RESTRICTED'])
  t.equal((await test.send('DELETE', '/Parents/2')).status, 200)
  await t.rejects(test.model('Parent').destroyAll(), { code: 'DELETION_RESTRICTED' })
  t.equal(await test.model('Parent').count(), 1)
})

void t.test('cascade deletes children and what depends on them', async (t) => {
  const test = await start(t, family('cascade'))
  t.strictSame((await test.send('DELETE', '/Parents/1')).body, { count: 1 })
  t.strictSame([await test.model('Child').count(), await test.model('Toy').count()], [0, 0])
})

void t.test('nothing is deleted when something further down forbids it', async (t) => {
  const [parent, , toy] = family('cascade')
  const child = { name: 'Child', relations: { toys: { type: 'hasMany', model: 'Toy', onDelete: 'restrict' } } }
  const test = await start(t, [parent ?? child, child, toy ?? child])
  t.equal(codeOf(await test.send('DELETE', '/Parents/1')), 'DELETION_RESTRICTED')
  t.strictSame([await test.model('Parent').count(), await test.model('Child').count()], [2, 2])
})

void t.test('setNull takes the key away', async (t) => {
  const test = await start(t, family('setNull'))
  await test.send('DELETE', '/Parents/1')
  t.match((await test.get('/Children')).body, [{ parentId: null }, { parentId: null }])
})

void t.test('a belongsTo says what happens to its own record', async (t) => {
  const test = await makeApp(t, [
    { name: 'Parent', properties: {} },
    {
      name: 'Child',
      properties: {},
      relations: { parent: { type: 'belongsTo', model: 'Parent', onDelete: 'cascade' } }
    }
  ])
  await test.send('POST', '/Parents', {})
  await test.send('POST', '/Children', [{ parentId: 1 }, {}])
  await test.send('DELETE', '/Parents/1')
  t.match((await test.get('/Children')).body, [{ id: 2 }])
})

void t.test('records between others go with either side', async (t) => {
  const test = await makeApp(t, [
    {
      name: 'Post',
      properties: {},
      relations: { tags: { type: 'hasAndBelongsToMany', model: 'Tag', onDelete: 'cascade' } }
    },
    { name: 'Tag', properties: {} }
  ])
  await test.send('POST', '/Posts', {})
  await test.send('POST', '/Posts/1/tags', [{}, {}])
  await test.send('DELETE', '/Posts/1')
  t.strictSame([await test.model('PostTag').count(), await test.model('Tag').count()], [0, 2])
})

void t.test('a circle of records ends', async (t) => {
  const test = await makeApp(t, [
    {
      name: 'Node',
      properties: { next: 'number' },
      relations: { followers: { type: 'hasMany', model: 'Node', foreignKey: 'next', onDelete: 'cascade' } }
    }
  ])
  await test.send('POST', '/Nodes', [{ next: 3 }, { next: 1 }, { next: 2 }, {}])
  t.strictSame((await test.send('DELETE', '/Nodes/1')).body, { count: 1 })
  t.match((await test.get('/Nodes')).body, [{ id: 4 }])
})

void t.test('a required key cannot be set to null, and not every relation has a key to see to', async (t) => {
  const [parent] = family('setNull')
  const child = { name: 'Child', properties: { parentId: { type: 'number', required: true } } }
  await t.rejects(makeApp(t, [parent ?? child, child]), { code: 'RELATION_INVALID' })
  const part = { name: 'Whole', relations: { parts: { type: 'embedsMany', model: 'Part', onDelete: 'cascade' } } }
  await t.rejects(makeApp(t, [part, { name: 'Part', base: 'Model', public: false }]), { code: 'RELATION_INVALID' })
  await t.rejects(makeApp(t, family('vanish')), { code: 'RELATION_INVALID' })
})

void t.test('all of it is one transaction where the connector has them', async (t) => {
  const inner = countingConnector([], false)
  const steps: string[] = []
  const db: Connector = {
    ...inner,
    capabilities: { ...inner.capabilities, transactions: true },
    transaction: async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
      steps.push('begin')
      const result = await work({ attempt: 1 })
      steps.push('commit')
      return result
    }
  }
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db }, models: family('cascade') })
  await app.register(relations)
  await app.ready()
  const Parent = app.models.get('Parent') as unknown as AnyModel
  await Parent.create([{ name: 'a' }])
  await Parent.destroyById(1)
  t.strictSame(steps, ['begin', 'commit'])
})
