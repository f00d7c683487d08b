import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'

const models: ModelDefinition[] = [
  { name: 'Own', properties: { code: { type: 'string', id: true, defaultFn: 'guid' }, text: 'string' } },
  { name: 'Pair', properties: { one: { type: 'string', id: 1 }, two: { type: 'string', id: 2 } } },
  { name: 'Again', base: 'Own', properties: { code: { type: 'string' }, id: { type: 'string', id: true } } }
]

t.test('as in LoopBack, id reads an id of another name, and setting it does nothing', async (t) => {
  const registry = buildRegistry({ dataSources: { db: memory() }, models, compat: true }, () => {})
  const own = await registry.get('Own').create({ text: 'x' })
  t.equal(own['id'], own['code'])
  t.notOk('id' in own.toJSON())
  own['id'] = 'other'
  t.equal(own['id'], own['code'])
  t.strictSame((await registry.get('Pair').create({ one: '1', two: '2' }))['id'], { one: '1', two: '2' })
  t.match((await registry.get('Again').create({ id: 'mine' })).toJSON(), { id: 'mine' })
})

t.test('elsewhere a record has the names that are declared', async (t) => {
  const registry = buildRegistry({ dataSources: { db: memory() }, models }, () => {})
  t.equal((await registry.get('Own').create({ text: 'x' }))['id'], undefined)
})
