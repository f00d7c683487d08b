import t from 'tap'
import { bootApp, type Files, notesOf, usualFiles } from '../../make-app.ts'

const name = 'loopback-component-explorer'

const withExplorer = (params: unknown, more: Files = {}): Files => ({
  'server/component-config.json': { [name]: params },
  ...more
})

void t.test('serves the explorer that component-config.json asks for', async (t) => {
  const server = await bootApp(t, withExplorer({ mountPath: '/docs', apiInfo: { title: 'Things' }, version: 7 }))
  t.strictSame(notesOf(server), [])
  t.equal((await server.inject('/docs/')).statusCode, 200)
  t.match((await server.inject('/docs/swagger.json')).json(), {
    info: { title: 'Things', version: '7' },
    basePath: '/api'
  })
  t.match((await server.inject('/docs/openapi.json')).json(), { openapi: '3.1.0', info: { title: 'Things' } })
  t.equal((await server.inject('/explorer/')).statusCode, 404)
})

void t.test('scripts find where the page is, also when the file does not say so', async (t) => {
  const server = await bootApp(t, withExplorer({}))
  t.strictSame(server.loopback.get(name), { mountPath: '/explorer' })
  t.equal((await server.inject('/explorer')).headers.location, '/explorer/')
  t.equal((await server.inject({ method: 'HEAD', url: '/explorer/' })).statusCode, 200)
})

void t.test('null in the file of an environment leaves it out there', async (t) => {
  const files = withExplorer({}, { 'server/component-config.production.json': { [name]: null } })
  const production = await bootApp(t, files, { env: 'production' })
  t.equal((await production.inject('/explorer/')).statusCode, 404)
  t.equal((await (await bootApp(t, files)).inject('/explorer/')).statusCode, 200)
})

void t.test('package.json and config.json say what the options do not', async (t) => {
  const config = {
    restApiRoot: '/v2',
    apiInfo: { description: 'from config' },
    swagger: { generateOperationScopedModels: true, securityDefinitions: { key: { type: 'apiKey' } } }
  }
  const files = withExplorer(
    {},
    { 'server/config.json': config, 'package.json': { name: 'my-things', version: '3.2.1' } }
  )
  t.match((await (await bootApp(t, files)).inject('/explorer/swagger.json')).json(), {
    info: { title: 'my-things', version: '3.2.1', description: 'from config' },
    basePath: '/v2',
    securityDefinitions: { key: { type: 'apiKey' } },
    definitions: { $new_Thing: {} }
  })
})

void t.test('the document has the models in the order of model-config.json, and what scripts change', async (t) => {
  const files = withExplorer(
    {},
    {
      'server/model-config.json': {
        _meta: { sources: ['../common/models'] },
        User: { dataSource: 'db', public: true },
        Thing: { dataSource: 'db', public: true },
        Role: { dataSource: 'db', public: true }
      },
      'server/boot/change.js': `module.exports = (app) => {
        app.on('swaggerResources', (document) => { document['x-seen'] = true })
        app.models.Thing.late = (done) => done()
        app.models.Thing.remoteMethod('late', { http: { verb: 'get' } })
        app.models.Thing.disableRemoteMethodByName('deleteById')
      }`
    }
  )
  const document = (await (await bootApp(t, files)).inject('/explorer/swagger.json')).json<{
    tags: { name: string }[]
    paths: Record<string, object>
  }>()
  t.strictSame(
    document.tags.map((tag) => tag.name),
    ['User', 'Thing', 'Role']
  )
  t.match(document, { 'x-seen': true, paths: { '/Things/late': { get: {} } } })
  t.notOk('delete' in (document.paths['/Things/{id}'] ?? {}))
})

void t.test('folders of uiDirs are relative to the application', async (t) => {
  const files = withExplorer({ uiDirs: 'pages' }, { 'pages/index.html': '<h1>Mine</h1>' })
  t.match((await (await bootApp(t, files)).inject('/explorer/')).body, /Mine/)
})

void t.test('tells when there is no API to show', async (t) => {
  const middleware = { final: { 'loopback#urlNotFound': {} } }
  const files = { ...usualFiles, ...withExplorer({}, { 'server/middleware.json': middleware }) }
  t.match(notesOf(await bootApp(t, files)).at(-1), /no REST API/)
})

// What LoopBack 3.28 with its explorer answers: what was mounted first at a path.
const status = `module.exports = server => {
  const router = server.loopback.Router()
  router.get('/', server.loopback.status())
  server.use(router)
}`
const own = `module.exports = server => {
  server.get('/', (req, res) => res.send('own'))
  server.get('/other', (req, res) => res.send('other'))
}`
const serverScript = (tail: string) => `
  const app = module.exports = require('loopback')()
  require('loopback-boot')(app, __dirname)
  const explorer = require('loopback-component-explorer')
  ${tail}`
const atRoot = serverScript("explorer(app, { mountPath: '/' })")
const page = /^<!/
const contests = [
  ['a status, behind the component', withExplorer({ mountPath: '/' }, { 'server/boot/root.js': status }), page, 404],
  ['an own page, behind the component', withExplorer({ mountPath: '/' }, { 'server/boot/root.js': own }), page, 200],
  ['a status, ahead of a script', { 'server/boot/root.js': status, 'server/server.js': atRoot }, /"started"/, 404],
  ['an own page, ahead of a script', { 'server/boot/root.js': own, 'server/server.js': atRoot }, /^own$/, 200]
] as const

for (const [what, files, answer, other] of contests)
  void t.test(`an explorer at the root stands beside ${what}`, async (t) => {
    const server = await bootApp(t, files)
    t.match((await server.inject('/')).body, answer)
    t.match((await server.inject('/swagger.json')).json(), { swagger: '2.0' })
    t.equal((await server.inject('/other')).statusCode, other)
    t.equal((await server.inject('/api/Things')).statusCode, 200)
    t.equal((await server.inject('/nope')).statusCode, 404)
  })

const scripts = [
  ['explorer(app)', '/explorer', { mountPath: '/explorer' }],
  ["explorer(app, { mountPath: 'docs' })", '/docs', { mountPath: 'docs' }],
  ["app.use('/docs', explorer.routes(app, { basePath: '/api' }))", '/docs', undefined],
  ["const r = app.loopback.Router(); r.use('/b', explorer.routes(app)); app.use('/a', r)", '/a/b', undefined]
] as const

for (const [script, path, setting] of scripts)
  void t.test(`${script} in a script mounts an explorer`, async (t) => {
    const server = await bootApp(t, { 'server/server.js': serverScript(script), 'server/boot/own.js': own })
    t.match((await server.inject(`${path}/swagger.json`)).json(), { swagger: '2.0' })
    t.match((await server.inject(`${path}/`)).body, page)
    t.strictSame(server.loopback.get(name), setting)
    t.equal((await server.inject('/nope')).statusCode, 404)
  })
