import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { bootApp, notesOf } from '../../make-app.ts'

const own = `
function Own(settings) {
  this.name = 'own'
  this.settings = settings
  this.rows = []
}
Own.prototype.getDefaultIdType = () => Number
Own.prototype.define = function () {}
Own.prototype.create = function (model, data, options, callback) {
  this.rows.push({ ...data, id: this.rows.length + 1 })
  callback(null, this.rows.length)
}
Own.prototype.all = function (model, filter, options, callback) { callback(null, this.rows.map(row => ({ ...row }))) }
exports.Own = Own
exports.initialize = (dataSource, callback) => {
  dataSource.connector = new Own(dataSource.settings)
  process.nextTick(callback)
}`

// LoopBack 3.28 takes all of them.
const ways = [
  `loopback.createDataSource({ connector: require('../../own'), colour: 'red' })`,
  `loopback.createDataSource('x', { connector: require('../../own'), colour: 'red' })`,
  `new loopback.DataSource(require('../../own'), { colour: 'red' })`,
  `app.dataSource('x', { connector: require('../../own'), colour: 'red' })`,
  `loopback.createDataSource({ connector: require('../../own').Own, colour: 'red' })`,
  `(app.connector('mine', require('../../own')), app.dataSource('x', { connector: 'mine', colour: 'red' }))`
]
for (const way of ways) {
  void t.test(`a script makes a data source by ${way}`, async (t) => {
    const server = await bootApp(t, {
      'own.js': own,
      'server/boot/a.js': `module.exports = (app) => {
        const { loopback } = app
        const made = ${way}
        app.models.Thing.attachTo(made)
        app.set('seen', [made.connector.name, made.connector.settings.colour])
      }`
    })
    t.strictSame(server.loopback.get('seen'), ['own', 'red'])
    await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
    t.strictSame((await server.inject('/api/Things')).json(), [{ label: 'a', id: 1 }])
  })
}

void t.test('a connector of ours may be given as it is', async (t) => {
  const server = await bootApp(t)
  const given = memory()
  const { createDataSource } = server.loopback.registry
  t.equal(createDataSource({ connector: given }).name, 'memory')
})

void t.test('applications read of a connector what those of LoopBack have', async (t) => {
  const server = await bootApp(t, {
    'server/datasources.json': { db: { connector: 'memory', colour: 'red' } },
    'server/boot/a.js': `module.exports = (app) => {
      const { db } = app.dataSources
      const { name, settings, dataSource } = db.connector
      app.set('seen', [name, settings.colour, db.settings.colour, dataSource === db, db.connector.getDefaultIdType() === Number,
        db.connector.getTypes(), app.models.Thing.getConnector() === db.connector, db.adapter === db.connector])
    }`
  })
  t.strictSame(server.loopback.get('seen'), ['memory', 'red', 'red', true, true, ['db', 'nosql', 'memory'], true, true])
})

void t.test('a connector that is not installed is told of a data source that a script makes', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = (app) => { app.dataSource('far', { connector: 'mongodb' }) }`
  })
  const note = notesOf(server).find((each) => each.includes('far.connector'))
  t.match(note, /the connector "mongodb" is not installed/)
})

void t.test('deleteModelByName of a data source leaves models of others, and built-in ones', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = (app) => {
      const other = app.loopback.createDataSource({ connector: 'memory' })
      for (const name of ['Thing', 'User', 'Role']) other.deleteModelByName(name)
      const Mine = other.createModel('Mine')
      other.deleteModelByName('Mine')
      app.dataSources.db.modelBuilder.deleteModelByName('User')
      app.set('left', ['Thing', 'User', 'Role', 'Mine'].filter((name) => app.registry.findModel(name)))
    }`
  })
  t.strictSame(server.loopback.get('left'), ['Thing', 'User', 'Role'])
})

void t.test('a data source in whose place another one is put is closed with the application', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = (app) => {
      const heard = []
      app.set('heard', heard)
      app.dataSources.db.once('disconnected', () => heard.push('db'))
      app.dataSource('db', { connector: 'memory' })
    }`
  })
  await server.close()
  t.strictSame(server.loopback.get('heard'), ['db'])
})
