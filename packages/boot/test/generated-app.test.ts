import t from 'tap'
import { bootApp, notesOf } from './make-app.ts'

// What LoopBack's generator writes for an empty application, as far as files mean something here.
const generated = {
  'server/config.json': {
    restApiRoot: '/api',
    host: '0.0.0.0',
    port: 3000,
    remoting: {
      context: false,
      rest: { handleErrors: false, normalizeHttpPath: false, xml: false },
      json: { strict: false, limit: '100kb' },
      urlencoded: { extended: true, limit: '100kb' },
      cors: false
    }
  },
  'server/datasources.json': { db: { name: 'db', connector: 'memory' } },
  'server/middleware.json': {
    'initial:before': { 'loopback#favicon': {} },
    initial: {
      compression: {},
      cors: { params: { origin: true, credentials: true, maxAge: 86400 } },
      'helmet#xssFilter': {},
      'helmet#frameguard': { params: ['deny'] },
      'helmet#hsts': { params: { maxAge: 0, includeSubdomains: true } },
      'helmet#hidePoweredBy': {},
      'helmet#ieNoOpen': {},
      'helmet#noSniff': {},
      'helmet#noCache': { enabled: false }
    },
    session: {},
    auth: {},
    parse: {},
    routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
    files: {},
    final: { 'loopback#urlNotFound': {} },
    'final:after': { 'strong-error-handler': {} }
  },
  'server/middleware.development.json': {
    'final:after': { 'strong-error-handler': { params: { debug: true, log: true } } }
  },
  'server/component-config.json': {
    'loopback-component-explorer': { mountPath: '/explorer', generateOperationScopedModels: true }
  },
  'server/model-config.json': {
    _meta: {
      sources: ['loopback/common/models', 'loopback/server/models', '../common/models', './models'],
      mixins: ['loopback/common/mixins', 'loopback/server/mixins', '../common/mixins', './mixins']
    },
    User: { dataSource: 'db' },
    AccessToken: { dataSource: 'db', public: false },
    ACL: { dataSource: 'db', public: false },
    RoleMapping: { dataSource: 'db', public: false, options: { strictObjectIDCoercion: true } },
    Role: { dataSource: 'db', public: false },
    Thing: { dataSource: 'db', public: true }
  },
  'server/boot/authentication.js': 'module.exports = function enableAuthentication(server) { server.enableAuth() }',
  'server/boot/root.js': `module.exports = function(server) {
    var router = server.loopback.Router()
    router.get('/', server.loopback.status())
    server.use(router)
  }`
}

void t.test('an application as the generator writes it starts unchanged', async (t) => {
  const server = await bootApp(t, generated)
  t.match((await server.inject('/')).json(), { started: String })
  const { headers, statusCode } = await server.inject({ url: '/api/Things', headers: { origin: 'http://a.example' } })
  t.equal(statusCode, 200)
  t.match(headers, {
    'access-control-allow-origin': 'http://a.example',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff'
  })
})

void t.test('and is told what is missing', async (t) => {
  const told = notesOf(await bootApp(t, generated)).map((note) => note.split(': ').slice(0, 2).join(' '))
  t.strictSame(told, [
    'server/middleware.json initial:before.loopback#favicon',
    'server/middleware.json initial.helmet#xssFilter',
    'server/model-config.json User',
    'server/config.json remoting.sharedMethods.updateAll'
  ])
})
