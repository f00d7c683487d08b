import t from 'tap'
import { bootApp } from '../../make-app.ts'

/** A key-value store in memory, which takes the methods of its models from LoopBack's package, as kv-redis does. */
const store = `
function Store() { this.name = 'store'; this.values = new Map() }
Store.prototype.get = function (model, key, options, callback) { callback(null, this.values.has(key) ? this.values.get(key) : null) }
Store.prototype.set = function (model, key, value, options, callback) { this.values.set(key, value); callback() }
Store.prototype.delete = function (model, key, options, callback) { callback(null, this.values.delete(key)) }
Store.prototype.iterateKeys = function () {
  const keys = [...this.values.keys()]
  return { next: callback => callback(null, keys.shift()) }
}
exports.initialize = (dataSource, callback) => {
  dataSource.connector = new Store()
  dataSource.connector.DataAccessObject = dataSource.juggler.KeyValueAccessObject
  callback()
}
`

void t.test('a model that extends KeyValueModel is served as in LoopBack', async (t) => {
  const server = await bootApp(t, {
    'store.js': store,
    'server/datasources.json': { db: { connector: '../store' } },
    'server/boot/a.js': 'module.exports = app => app.models.Thing.set("first", 1)',
    'common/models/thing.json': { name: 'Thing', base: 'KeyValueModel' }
  })
  t.same((await server.inject('/api/Things/first')).json(), 1)
  const put = await server.inject({ method: 'PUT', url: '/api/Things/second', payload: { a: 1 } })
  t.equal(put.statusCode, 204)
  t.same((await server.inject('/api/Things/keys')).json(), ['first', 'second'])
  const missing = await server.inject('/api/Things/none')
  t.equal(missing.statusCode, 404)
  t.match(missing.json(), { error: { code: 'KEY_NOT_FOUND' } })
  t.equal((await server.inject('/api/Things')).statusCode, 404, 'there are no records')
  t.same(
    server.bootReport.notes.filter(({ file }) => file === 'common/models/thing.json'),
    []
  )
})

void t.test('connectors of LoopBack get the packages that they require, not those of scripts', async (t) => {
  const server = await bootApp(t, {
    'node_modules/loopback-connector-lib/index.js': `
      exports.initialize = (dataSource, callback) => {
        dataSource.connector = { name: 'lib', library: require('strong-remoting').library }
        callback()
      }`,
    'node_modules/strong-remoting/index.js': 'exports.library = 7',
    'server/datasources.json': { db: { connector: 'lib' } }
  })
  t.match(server.loopback.dataSources['db']?.connector, { library: 7 })
})
