import t from 'tap'
import { bootApp, type Files } from '../make-app.ts'

const keysOf = (text: string): string[] => Object.keys(JSON.parse(text) as object)

void t.test('properties of mixins come after the keys of relations that their model has by then', async (t) => {
  const files: Files = {
    'common/models/thing.json': {
      name: 'Thing',
      base: 'PersistedModel',
      mixins: { Stamp: true },
      relations: {
        parts: { type: 'referencesMany', model: 'Thing' },
        later: { type: 'belongsTo', model: 'Zone' }
      }
    },
    'common/models/zone.json': { name: 'Zone', base: 'PersistedModel' },
    'common/mixins/stamp.js':
      'module.exports = (Model) => Model.defineProperty("stamped", { type: "number", default: 7 })',
    'server/model-config.json': {
      _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
      Thing: { dataSource: 'db' },
      Zone: { dataSource: 'db' }
    }
  }
  const server = await bootApp(t, files)
  const made = await server.inject({ method: 'POST', url: '/api/Things', payload: { laterId: 1 } })
  t.strictSame(keysOf(made.body), ['id', 'thingIds', 'stamped', 'laterId'])
})

void t.test('a property with the name of a relation comes last, and related records take its place', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': {
      name: 'Thing',
      base: 'PersistedModel',
      properties: { tags: ['string'] },
      relations: { tags: { type: 'hasMany', model: 'Thing', foreignKey: 'ownerId' } }
    }
  })
  const made = await server.inject({ method: 'POST', url: '/api/Things', payload: { tags: ['a'], more: 1 } })
  t.equal(made.body, '{"id":1,"more":1,"tags":["a"]}')
  for (const url of ['/api/Things', '/api/Things/1']) {
    const found = await server.inject({ url: `${url}?filter={"include":"tags"}` })
    t.match(found.body, '{"id":1,"more":1,"tags":[]}')
    t.equal(found.body.match(/"tags"/g)?.length, 1, 'one member has the name')
  }
})

void t.test('problems are told property by property, undeclared ones last', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': {
      name: 'Thing',
      base: 'PersistedModel',
      strict: true,
      properties: { price: { type: 'number', required: true }, at: 'date', sold: { type: 'boolean', required: true } }
    },
    'common/models/thing.js': `module.exports = (Thing) => { Thing.validatesNumericalityOf('price', { int: true }) }`
  })
  const payload = { other: 1, price: 2.5, at: 'never' }
  const { error } = (await server.inject({ method: 'POST', url: '/api/Things', payload })).json<{
    error: { details: { codes: object } }
  }>()
  t.strictSame(Object.entries(error.details.codes), [
    ['price', ['numericality.int']],
    ['at', ['date']],
    ['sold', ['presence']],
    ['other', ['unknown-property']]
  ])
})
