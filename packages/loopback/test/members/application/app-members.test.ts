import t from 'tap'
import { bootApp } from '../../make-app.ts'

type Loose = Record<string, unknown>

void t.test('settings are read and written as an object, too', async (t) => {
  const { loopback: app } = await bootApp(t, { 'server/config.json': { own: { a: 1 } } })
  const { settings } = app
  t.strictSame(settings['own'], { a: 1 })
  settings['more'] = 2
  t.equal(app.get('more'), 2)
  t.ok('more' in settings)
  t.ok(Object.keys(settings).includes('own'))
  delete settings['more']
  t.equal(app.get('more'), undefined)
  t.strictSame([app.mountpath, app.path()], ['/', ''])
})

void t.test('the REST API is mounted by app.handler', async (t) => {
  const script = `module.exports = app => { app.use('/v2', app.handler('rest')) }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  t.equal((await server.inject('/v2/Things')).statusCode, 200)
  t.throws(() => server.loopback.handler('jsonrpc'), { code: 'MEMBER_NOT_PROVIDED' })
  t.strictSame(Object.keys(server.loopback.remoteObjects()), ['Thing'])
})

void t.test('models are added by class and by definition, and removed by name', async (t) => {
  const script = `module.exports = app => {
    const events = app.events = []
    app.on('modelRemoted', ({ name }) => events.push('remoted ' + name))
    app.on('modelDeleted', model => events.push('deleted ' + (model.modelName || model)))
    app.model('Named', { properties: { n: 'number' }, dataSource: 'db', plural: 'named' })
    app.model(app.loopback.createModel('Gone', {}), { dataSource: 'db' })
    app.model(app.loopback.createModel('Hidden', {}), { dataSource: 'db', public: false })
    app.deleteModelByName('Gone')
    app.deleteModelByName('None')
    app.seen = [typeof app.models.Gone, app.models.Named.shared, app.models.Hidden.shared]
    try { app.deleteModelByName('User') } catch (error) { app.seen.push(error.code) }
  }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  const app = server.loopback
  t.strictSame(app['events'], ['remoted Named', 'remoted Gone', 'deleted Gone', 'deleted None'])
  t.strictSame(app['seen'], ['undefined', true, false, 'SCRIPT_ARGUMENT_INVALID'])
  t.strictSame((await server.inject({ method: 'POST', url: '/api/named', payload: { n: '5' } })).json(), {
    n: 5,
    id: 1
  })
  t.equal((await server.inject('/api/Gones')).statusCode, 404)
  t.throws(() => app.deleteModelByName('Named'), { code: 'REGISTRY_SEALED' })
})

void t.test('a connector that code adds makes data sources', async (t) => {
  const script = `module.exports = app => {
    app.connector('my-store', settings => app.connectors.memory(settings))
    const ds = app.dataSource('extra', { connector: 'my-store' })
    app.seen = [ds.connector.name, ds.app === app, typeof app.connectors.MyStore]
    for (const wrong of [undefined, 'x', {}]) {
      try { app.connector('y', wrong) } catch (error) { app.seen.push(error.code) }
    }
  }`
  const { loopback: app } = await bootApp(t, { 'server/boot/a.js': script })
  const [name, isOwn, kind, ...codes] = app['seen'] as Loose[]
  t.strictSame([name, isOwn, kind], ['memory', true, 'function'])
  t.strictSame(codes, ['SCRIPT_ARGUMENT_INVALID', 'SCRIPT_ARGUMENT_INVALID', 'CONNECTOR_UNKNOWN'])
})

void t.test('datasources.json may name a connector that the server script adds', async (t) => {
  const server = await bootApp(t, {
    'server/datasources.json': { db: { connector: 'my-store' } },
    'server/server.js': `const app = (module.exports = require('loopback')())
      app.connector('my-store', settings => app.connectors.memory(settings))
      require('loopback-boot')(app, __dirname)`
  })
  t.match(server.loopback.dataSources['db']?.connector, { name: 'memory' })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})

void t.test('del is delete, and other members name what to use', async (t) => {
  const script = `module.exports = app => {
    app.del('/gone', (req, res) => res.send('bye'))
    app.disuse('/x')
  }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  t.equal((await server.inject({ method: 'DELETE', url: '/gone' })).body, 'bye')
  const app = server.loopback as unknown as Record<string, () => void> // refused members are functions
  for (const name of ['boot', 'propfind', 'lock']) t.throws(() => app[name]?.(), { code: 'MEMBER_NOT_PROVIDED' }, name)
})
