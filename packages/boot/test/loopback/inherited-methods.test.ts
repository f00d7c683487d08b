import t from 'tap'
import { bootApp } from '../make-app.ts'

const greeting = { returns: { arg: 'text', type: 'string' }, http: { verb: 'get' } }

const files = {
  'common/models/base.json': {
    name: 'Base',
    plural: 'bases',
    methods: { written: greeting },
    mixins: { Mixed: true }
  },
  'common/models/sub.json': { name: 'Sub', base: 'Base', plural: 'subs', methods: { own: greeting } },
  'common/models/base.js': `module.exports = Base => {
    for (const name of ['written', 'own', 'scripted', 'configured', 'added']) Base[name] = cb => cb(null, name)
    Base.remoteMethod('scripted', ${JSON.stringify(greeting)})
  }`,
  'common/mixins/mixed.js': `module.exports = Model => {
    Model.mixed = cb => cb(null, 'mixed')
    Model.remoteMethod('mixed', ${JSON.stringify(greeting)})
  }`,
  'server/boot/a.js': `module.exports = app => {
    const { Base } = app.models
    app.registry.configureModel(Base, { dataSource: app.dataSources.db, methods: { configured: ${JSON.stringify(greeting)} } })
    Base.remoteMethod('added', ${JSON.stringify(greeting)})
  }`,
  'server/model-config.json': {
    _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
    Base: { dataSource: 'db' },
    Sub: { dataSource: 'db' }
  }
}

// What LoopBack 3.28 answers: a model has what definitions and mixins of its base declare, and not what code declares of the base.
const answers: readonly (readonly [method: string, ofBase: number, ofSub: number])[] = [
  ['written', 200, 200],
  ['own', 404, 200],
  ['mixed', 200, 200],
  ['scripted', 200, 404],
  ['configured', 200, 404],
  ['added', 200, 404]
]

t.test('remote methods that code declares of a base are those of the base alone', async (t) => {
  const app = await bootApp(t, files)
  for (const [method, ...expected] of answers) {
    const found = await Promise.all(['bases', 'subs'].map((path) => app.inject(`/api/${path}/${method}`)))
    t.strictSame(
      found.map(({ statusCode }) => statusCode),
      expected,
      method
    )
  }
})

t.test('a built-in model that code adds to the application is public unless it says otherwise', async (t) => {
  const app = await bootApp(t, {
    'server/boot/a.js': `module.exports = app => {
      app.model(app.loopback.User, { dataSource: 'db' })
      app.model(app.loopback.AccessToken, { dataSource: 'db', public: false })
    }`
  })
  t.equal((await app.inject('/api/Users/count')).statusCode, 200)
  t.equal((await app.inject('/api/AccessTokens/count')).statusCode, 404)
})
