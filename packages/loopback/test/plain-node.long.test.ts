import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'

const packageFolder = join(import.meta.dirname, '..')

const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"app","version":"1.0.0","main":"server/server.js"}',
  'server/config.json': '{"restApiRoot":"/api","host":"127.0.0.1","port":0}',
  'server/datasources.json': '{"db":{"connector":"memory"}}',
  'server/middleware.json': '{"routes":{"loopback#rest":{"paths":["${restApiRoot}"]}}}',
  'server/model-config.json': '{"_meta":{"sources":["../common/models"]},"Note":{"dataSource":"db","public":true}}',
  'common/models/note.json': '{"name":"Note","base":"PersistedModel","properties":{"text":"string"}}',
  'common/models/note.js': `
    var app = require('../../server/server')
    module.exports = function(Note) {
      Note.same = function(cb) { cb(null, app.models.Note === Note) }
      Note.remoteMethod('same', {returns: {arg: 'same', type: 'boolean'}, http: {verb: 'get'}})
    }`
}

/** An application that has our package in the place of LoopBack's. */
async function makeApplication(t: Test, serverScript: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-loopback-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ ...files, 'server/server.js': serverScript })) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  await mkdir(join(dir, 'node_modules'))
  await symlink(packageFolder, join(dir, 'node_modules', 'loopback'))
  return dir
}

function start(t: Test, dir: string): ChildProcess {
  const child = spawn(process.execPath, ['server/server.js'], { cwd: dir, env: { PATH: process.env['PATH'] } })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

/** The first line of the standard output that begins with `http`. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output')
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('http')) return line
  throw new Error('the child printed no address')
}

const generated = `
  var loopback = require('loopback')
  var boot = require('loopback-boot')
  var app = module.exports = loopback()
  app.start = function() {
    return app.listen(function() {
      app.emit('started')
      console.log(app.get('url').replace(/\\/$/, ''))
    })
  }
  boot(app, __dirname, function(err) {
    if (err) throw err
    if (require.main === module) app.start()
  })`

void t.test('node server/server.js serves the application, and its scripts require each other', async (t) => {
  const url = await addressOf(start(t, await makeApplication(t, generated)))
  t.strictSame(await (await fetch(`${url}/api/Notes/same`)).json(), { same: true })
})

void t.test(
  'the synchronous style works: models are there when boot returns, also before data sources are open',
  async (t) => {
    const url = await addressOf(
      start(
        t,
        await makeApplication(
          t,
          `var loopback = require('loopback')
        var app = module.exports = loopback()
        require('loopback-boot')(app, __dirname)
        app.models.Note.create({text: 'early'}, function(err) { if (err) throw err })
        app.use('/own', function(req, res) { res.json({own: true}) })
        app.listen(function() { console.log(app.get('url').replace(/\\/$/, '')) })`
        )
      )
    )
    t.match(await (await fetch(`${url}/api/Notes`)).json(), [{ text: 'early', id: 1 }])
    t.strictSame(await (await fetch(`${url}/own`)).json(), { own: true })
  }
)

void t.test('a server of the script hands requests on', async (t) => {
  const url = await addressOf(
    start(
      t,
      await makeApplication(
        t,
        `var app = module.exports = require('loopback')()
        require('loopback-boot')(app, __dirname, function(err) {
          if (err) throw err
          var server = require('http').createServer(app).listen(0, '127.0.0.1', function() {
            console.log('http://127.0.0.1:' + server.address().port)
          })
        })`
      )
    )
  )
  t.strictSame(await (await fetch(`${url}/api/Notes/count`)).json(), { count: 0 })
})

void t.test('an error of boot is given to the callback, and ends the process where it is thrown again', async (t) => {
  const dir = await makeApplication(t, generated)
  await writeFile(join(dir, 'server/model-config.json'), '{"Note":{"dataSource":"nowhere"}}')
  const child = start(t, dir)
  let told = ''
  child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  t.equal(code, 1)
  t.match(told, /MODEL_UNKNOWN|DATA_SOURCE_UNKNOWN/)
})

void t.test(
  'an application without boot is what its script makes of it, and reads nothing of its folder',
  async (t) => {
    const script = `var loopback = require('loopback')
    var app = module.exports = loopback()
    app.dataSource('memory', {connector: 'memory'})
    app.model(app.registry.createModel('Card', {text: 'string'}), {dataSource: 'memory'})
    app.use('/rest', loopback.rest())
    app.listen(0, '127.0.0.1', function() { console.log('http://127.0.0.1:' + app.get('port')) })`
    const url = await addressOf(start(t, await makeApplication(t, script)))
    t.strictSame(await (await fetch(`${url}/rest/Cards`)).json(), [])
    t.equal((await fetch(`${url}/rest/Notes`)).status, 404)
    t.equal((await fetch(`${url}/api/Notes`)).status, 404)
  }
)
