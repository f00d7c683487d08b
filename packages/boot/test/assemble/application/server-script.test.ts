import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createServer } from '#src/assemble/server/create-server.ts'
import { bootApp, makeFolder, refusal, usualFiles } from '../../make-app.ts'

const plain = `
  var loopback = require('loopback')
  var boot = require('loopback-boot')
  var app = module.exports = loopback()
  boot(app, __dirname, function(err) { if (err) throw err })
`

void t.test('server/server.js is run, and what it mounts answers beside the API', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `${plain}
      app.set('greeting', 'hello')
      app.use('/own', function(req, res) { res.send(req.app.get('greeting')) })`
  })
  t.equal((await server.inject('/own')).body, 'hello')
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})

void t.test('scripts that require the server script get this application', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': plain,
    'common/models/thing.js': `
      var app = require('../../server/server')
      module.exports = function(Thing) {
        Thing.isOwn = function(cb) { cb(null, app.models.Thing === Thing && Thing.app === app) }
        Thing.remoteMethod('isOwn', {returns: {arg: 'own', type: 'boolean'}, http: {verb: 'get'}})
      }`
  })
  t.strictSame((await server.inject('/api/Things/isOwn')).json(), { own: true })
})

void t.test('models are there when boot returns, and what is asked of them waits for the data source', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `
      var app = module.exports = require('loopback')()
      require('loopback-boot')(app, __dirname)
      app.models.Thing.create({label: 'early'}, function(err) { if (err) throw err })`
  })
  t.match((await server.inject('/api/Things')).json(), [{ label: 'early' }])
})

void t.test('loopback() gives models and data sources before any folder is read', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `
      var loopback = require('loopback')
      var app = module.exports = loopback()
      var kept = app.dataSource('kept', {connector: 'memory'})
      var Early = loopback.PersistedModel.extend('Early', {name: 'string'})
      app.model(Early, {dataSource: 'kept'})
      require('loopback-boot')(app, __dirname)`
  })
  t.match((await server.inject({ method: 'POST', url: '/api/Earlies', payload: { name: 'x' } })).json(), { name: 'x' })
})

void t.test('the variables that the script sets count for configuration that is written as a script', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `process.env.MODELWIRE_TEST_ROOT = '/from-script'; ${plain}`,
    'server/config.json': undefined,
    'server/config.js': 'module.exports = {restApiRoot: process.env.MODELWIRE_TEST_ROOT}'
  })
  t.teardown(() => Reflect.deleteProperty(process.env, 'MODELWIRE_TEST_ROOT'))
  t.equal((await server.inject('/from-script/Things')).statusCode, 200)
})

void t.test('configuration that is handed to boot counts in place of the files', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `
      var app = module.exports = require('loopback')()
      require('loopback-boot')(app, {
        appRootDir: __dirname, config: {restApiRoot: '/v9'}, bootScripts: ['./late.js']
      }, function(err) { if (err) throw err })`,
    'server/late.js': "module.exports = function(app) { app.get('/late', function(req, res) { res.send('run') }) }"
  })
  t.equal((await server.inject('/v9/Things')).statusCode, 200)
  t.equal((await server.inject('/late')).body, 'run')
})

void t.test('an option of boot that is not there is refused by name', async (t) => {
  const script = `
    var app = module.exports = require('loopback')()
    require('loopback-boot')(app, {appRootDir: __dirname, nonsense: 1})`
  t.match(await refusal(t, { 'server/server.js': script }), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('what the script throws stops the start, and names the file', async (t) => {
  t.strictSame(await refusal(t, { 'server/server.js': 'throw new Error("no")' }), {
    code: 'SCRIPT_FAILED',
    file: 'server/server.js'
  })
})

void t.test('an error of boot is that of the start, though the callback throws it again', async (t) => {
  t.match(await refusal(t, { 'server/server.js': plain, 'server/model-config.json': { Nope: {} } }), {
    code: 'MODEL_UNKNOWN'
  })
})

void t.test('a part of LoopBack that is not there is refused when it is required', async (t) => {
  const script = `require('loopback/lib/nowhere'); ${plain}`
  t.match(await refusal(t, { 'server/server.js': script }), { code: 'MODULE_NOT_PROVIDED' })
})

void t.test('the application is a handler of requests for servers of others', async (t) => {
  const server = await bootApp(t, { 'server/server.js': plain })
  const other: Server = createHttpServer(server.loopback).listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  t.strictSame(await (await fetch(`http://localhost:${port}/api/Things/count`)).json(), { count: 0 })
})

void t.test('app.listen gives the server that will listen, and calls back when it does', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': `
      var app = module.exports = require('loopback')()
      require('loopback-boot')(app, __dirname, function(err) {
        if (err) throw err
        app.given = app.listen(0, '127.0.0.1', function() { app.told = app.get('url'); app.heard = this })
      })`
  })
  t.equal(server.loopback['given'], server.server)
  t.match(server.loopback.wantedAddress, { port: 0, host: '127.0.0.1' })
  t.equal(server.loopback['told'], undefined)
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  // LB3: the address is that of every host where no setting names one.
  t.equal(server.loopback['told'], `${url.replace('127.0.0.1', 'localhost')}/`)
  t.equal(server.loopback['heard'], server.server)
})

void t.test('middleware that is mounted too late is told to the log', async (t) => {
  const lines: { msg: string }[] = []
  const stream = { write: (line: string): void => void lines.push(JSON.parse(line) as { msg: string }) }
  const server = await bootApp(t, { 'server/server.js': plain }, { logger: { level: 'warn', stream } })
  server.loopback.use(() => {})
  t.ok(lines.some(({ msg }) => msg.includes('app.use was called after the routes were mounted')))
})

void t.test('two applications of two folders each get LoopBack of their own', async (t) => {
  const make = async (greeting: string) =>
    bootApp(t, {
      'server/server.js': `${plain}
        app.get('/who', function(req, res) { res.send('${greeting}' + (require('loopback').application === undefined)) })`
    })
  const [one, other] = [await make('one'), await make('other')]
  t.match((await one.inject('/who')).body, /^one/)
  t.match((await other.inject('/who')).body, /^other/)
})

void t.test('a folder without the script boots by itself', async (t) => {
  const dir = await makeFolder(t, usualFiles)
  const server = await createServer({ dir, env: 'development', variables: {}, logger: false })
  t.teardown(() => server.close())
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})

void t.test('a folder can be started again in one process, with an application of its own', async (t) => {
  const dir = await makeFolder(t, { ...usualFiles, 'server/server.js': plain })
  const start = () => createServer({ dir, env: 'development', variables: {}, logger: false })
  const first = await start()
  await first.inject({ method: 'POST', url: '/api/Things', payload: { label: 'first' } })
  await first.close()
  const second = await start()
  t.teardown(() => second.close())
  t.not(second.loopback, first.loopback)
  t.strictSame((await second.inject('/api/Things')).json(), [])
})
