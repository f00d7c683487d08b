import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import t from 'tap'
import { createServer } from '#src/assemble/server/create-server.ts'
import { bootApp, type Files, makeFolder, refusal, usualFiles } from '../../make-app.ts'

const scriptOf = (body: string) => `
  const loopback = require('loopback'), boot = require('loopback-boot')
  const app = module.exports = loopback()
  ${body}`

/** No file of the folder says anything, and its boot script fails. */
const bare: Files = {
  ...Object.fromEntries(Object.keys(usualFiles).map((name) => [name, undefined])),
  'package.json': {},
  'server/boot/a.js': "throw new Error('the folder was read')"
}

const withThings = `
  const Sub = sub.registry.createModel('Sub', { a: 'string' })
  sub.dataSource('db', { connector: 'memory' })
  sub.model(Sub, { dataSource: 'db' })
  sub.use('/api', loopback.rest())`

void t.test('a second call of boot for one application waits for the first', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': scriptOf(
      'app.log = []; boot(app, __dirname, () => app.log.push("one")); boot(app, __dirname, () => app.log.push("two"))'
    ),
    'server/boot/a.js': 'module.exports = (app, next) => { app.log.push("script"); setImmediate(next) }'
  })
  t.strictSame(server.loopback['log'], ['script', 'one', 'two'])
})

void t.test('a second call that says something else is refused, and so is one after app.listen', async (t) => {
  const other = scriptOf("boot(app, __dirname); boot(app, { appRootDir: __dirname, bootScripts: ['x.js'] })")
  t.match(await refusal(t, { 'server/server.js': other }), { code: 'SCRIPT_ARGUMENT_INVALID' })
  const late = scriptOf('app.listen(); boot(app, __dirname)')
  t.match(await refusal(t, { 'server/server.js': late }), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('what a boot failed with is told again by whatever comes later', async (t) => {
  const script = scriptOf(`
    const codes = []
    for (const run of [() => boot(app, __dirname), () => boot(app, __dirname), () => app.listen()])
      try { run() } catch (error) { codes.push(error.code) }
    throw new Error(codes.join())`)
  const dir = await makeFolder(t, {
    ...usualFiles,
    'server/server.js': script,
    'server/model-config.json': { Gone: { dataSource: 'nowhere' } }
  })
  await t.rejects(createServer({ dir, logger: false }), { code: 'MODEL_UNKNOWN' })
})

void t.test('two applications of one folder have models of their own', async (t) => {
  const server = await bootApp(t, {
    'server/server.js': scriptOf(`
      boot(app, __dirname, error => {
        if (error) throw error
        const other = loopback()
        boot(other, __dirname, error => { app.told = error ?? [other.models.Thing !== app.models.Thing, other !== app] })
        app.use('/other', other)
      })`)
  })
  await server.inject({ method: 'POST', url: '/other/api/Things', payload: { label: 'there' } })
  t.match((await server.inject('/other/api/Things')).json(), [{ label: 'there' }])
  t.strictSame((await server.inject('/api/Things')).json(), [])
  t.strictSame(server.loopback['told'], [true, true])
})

// What LoopBack 3.28 answers, but for the text of errors.
void t.test('an application that is not booted is what scripts make of it, below another one, too', async (t) => {
  const server = await bootApp(t, {
    ...bare,
    'server/server.js': scriptOf(`
      const sub = loopback()
      ${withThings}
      sub.get('/own', (req, res) => res.json([req.url, req.originalUrl, sub.mountpath, req.app === sub]))
      app.use('/x', sub)
      app.get('/x/after', (req, res) => res.json([req.app === app, req.url]))
      app.listen()`)
  })
  t.strictSame((await server.inject('/x/api/Subs')).json(), [])
  t.strictSame((await server.inject('/x/own')).json(), ['/own', '/x/own', '/x', true])
  t.strictSame((await server.inject('/x/after')).json(), [true, '/x/after'])
  for (const url of ['/x/nope', '/x/api/nope', '/nope', '/api/Subs'])
    t.equal((await server.inject(url)).statusCode, 404, url)
})

void t.test('settings of scripts count where no file does', async (t) => {
  const server = await bootApp(t, {
    ...bare,
    'server/server.js': scriptOf(`
      const sub = app
      app.set('remoting', { sharedMethods: { '*': false, find: true } })
      ${withThings}
      app.listen()`)
  })
  t.equal((await server.inject('/api/Subs')).statusCode, 200)
  t.equal((await server.inject('/api/Subs/count')).statusCode, 404)
})

void t.test('a folder is started twice, one after the other and at once', async (t) => {
  const script = scriptOf(`
    const Late = () => require('loopback')
    app.get('/own', (req, res) => res.json(Late().findModel('Thing') === app.models.Thing))
    boot(app, __dirname, error => { if (error) throw error })`)
  const dir = await makeFolder(t, { ...usualFiles, 'server/server.js': script })
  const begin = () => createServer({ dir, logger: false })
  const servers = [await begin(), ...(await Promise.all([begin(), begin()]))]
  t.teardown(() => Promise.all(servers.map((server) => server.close())))
  for (const [index, server] of servers.entries()) {
    await server.inject({ method: 'POST', url: '/api/Things', payload: { label: String(index) } })
    t.match((await server.inject('/api/Things')).json(), [{ label: String(index) }])
    t.equal((await server.inject('/own')).json(), true, `its scripts require the module of start ${index}`)
  }
})

void t.test('a script that rejects before another one throws is told once', async (t) => {
  const rejections: unknown[] = []
  const listen = (error: unknown): void => void rejections.push(error)
  process.on('unhandledRejection', listen)
  t.teardown(() => process.off('unhandledRejection', listen))
  const found = await refusal(t, {
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Another: { dataSource: 'db' },
      Thing: { dataSource: 'db' }
    },
    'common/models/another.json': { name: 'Another' },
    'common/models/another.js': "module.exports = async () => { throw new Error('rejected') }",
    'common/models/thing.js': "module.exports = () => { throw new Error('thrown') }"
  })
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  t.match(found, { code: 'SCRIPT_FAILED', file: 'common/models/thing.js' })
  t.strictSame(rejections, [])
})

/** What a process says that starts a folder and has nothing else to do. */
async function startAlone(t: Test, files: Files): Promise<string> {
  const dir = await makeFolder(t, { ...usualFiles, ...files })
  const module = join(import.meta.dirname, '../../../dist/index.js')
  const code = `
    const { createServer } = await import(${JSON.stringify(module)})
    try { await createServer({ dir: ${JSON.stringify(dir)}, logger: false }) }
    catch ({ code, message, where }) { console.log(JSON.stringify({ code, message, ...where })) }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return stdout
}

void t.test('a start that nothing can end any more says so', async (t) => {
  const [script, boot] = await Promise.all([
    startAlone(t, { 'server/server.js': scriptOf('') }),
    startAlone(t, { 'server/boot/never.js': 'module.exports = (app, next) => {}' })
  ])
  t.match(JSON.parse(script), {
    code: 'SCRIPT_FAILED',
    message: /without calling boot or app.listen/,
    file: 'server/server.js'
  })
  t.match(JSON.parse(boot), {
    code: 'SCRIPT_FAILED',
    message: /never called its callback/,
    file: 'server/boot/never.js'
  })
})
