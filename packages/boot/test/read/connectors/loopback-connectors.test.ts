import t from 'tap'
import { bootApp, type Files } from '../../make-app.ts'

/** A connector of an application, which keeps records in a list and heeds no condition. */
const own = `
function Own(settings) {
  this.name = 'own'
  this.settings = settings
  this.rows = []
}
Own.prototype.getDefaultIdType = () => Number
Own.prototype.define = function (definition) { this.defined = definition.model.modelName }
Own.prototype.create = function (model, data, options, callback) {
  const id = this.rows.length + 1
  this.rows.push({ ...data, id })
  callback(null, id)
}
Own.prototype.all = function (model, filter, options, callback) { callback(null, this.rows.map(row => ({ ...row }))) }
Own.prototype.updateAttributes = function (model, id, data, options, callback) {
  Object.assign(this.rows.find(row => row.id === id), data)
  callback()
}
Own.prototype.destroyAll = function (model, where, options, callback) {
  this.rows = this.rows.filter(row => row.id !== where.id)
  callback(null, {})
}
Own.prototype.execute = function (sql, params, options, callback) { callback(null, [sql, params]) }
exports.initialize = (dataSource, callback) => {
  dataSource.connector = new Own(dataSource.settings)
  dataSource.tell = () => 'told'
  process.nextTick(callback)
}
`

const withOwn = (connector: string, files: Files = {}): Files => ({
  'server/datasources.json': { db: { connector, colour: 'red' } },
  ...files
})

const places: readonly (readonly [written: string, file: string])[] = [
  ['../my-connector.js', 'my-connector.js'],
  ['./my-connector', 'server/my-connector.js'],
  ['loopback-connector-own', 'node_modules/loopback-connector-own/index.js'],
  ['own', 'node_modules/loopback-connector-own/index.js']
]

for (const [written, file] of places) {
  void t.test(`a connector of LoopBack named ${written} is driven`, async (t) => {
    const server = await bootApp(t, withOwn(written, { [file]: own }))
    for (const label of ['a', 'b']) await server.inject({ method: 'POST', url: '/api/Things', payload: { label } })
    t.same((await server.inject('/api/Things')).json(), [
      { id: 1, label: 'a' },
      { id: 2, label: 'b' }
    ])
    t.same((await server.inject('/api/Things/2')).json(), { id: 2, label: 'b' })
    const found = await server.inject({ url: '/api/Things', query: { filter: '{"where":{"label":"b"}}' } })
    t.same(found.json(), [{ id: 2, label: 'b' }])
    t.match(server.bootReport.notes, [{ key: 'db', level: 'info', reason: /within one process/ }])
  })
}

void t.test("where LoopBack's connector is used in place of one of Modelwire, the log names the package", async (t) => {
  const lines: string[] = []
  const files = withOwn('postgresql', { 'node_modules/loopback-connector-postgresql/index.js': own })
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  const server = await bootApp(t, files, { logger, requireConnectors: true })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.match(server.bootReport.notes, [
    { key: 'db.connector', level: 'info', advice: 'npm install @modelwire/connector-postgresql' },
    { key: 'db' }
  ])
  t.match(lines.join(''), /LoopBack's own connector is used.*npm install @modelwire\/connector-postgresql/)
})

void t.test('scripts have the connector itself, and what it adds to the data source', async (t) => {
  const { loopback: app } = await bootApp(t, withOwn('../my-connector.js', { 'my-connector.js': own }))
  const dataSource = app.dataSources['db']
  t.match(dataSource?.connector, { name: 'own', settings: { colour: 'red' }, defined: 'Thing' })
  t.equal(dataSource?.adapter, dataSource?.connector)
  t.equal((dataSource as unknown as { tell: () => string }).tell(), 'told')
})

void t.test('a connector that code gives as its module is driven', async (t) => {
  const server = await bootApp(t, {
    'my-connector.js': own,
    'server/datasources.json': undefined,
    'server/datasources.js': `module.exports = { db: { connector: require('../my-connector') } }`
  })
  t.same((await server.inject('/api/Things')).json(), [])
})

void t.test('without its connector a data source answers with 501, and everything else is served', async (t) => {
  const server = await bootApp(t, {
    'server/datasources.json': { db: { connector: 'memory' }, far: { connector: 'mongodb' } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db', public: true },
      Distant: { dataSource: 'far', public: true }
    },
    'common/models/distant.json': { name: 'Distant', base: 'PersistedModel' }
  })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  const answer = await server.inject('/api/Distants')
  t.equal(answer.statusCode, 501)
  t.match(answer.json(), { error: { statusCode: 501 } })
  t.equal((await server.inject({ method: 'POST', url: '/api/Distants', payload: {} })).statusCode, 501)
  t.equal(server.loopback.dataSources['far']?.connector, undefined)
  t.match(server.bootReport.notes, [
    { key: 'far.connector', level: 'ignored', reason: /"mongodb" is not installed.* 501/, advice: /install/ }
  ])
})
