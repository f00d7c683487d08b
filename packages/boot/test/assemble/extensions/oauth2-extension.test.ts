import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { bootApp, notesOf, refusal } from '../../make-app.ts'

const modelConfig = {
  _meta: { sources: ['../common/models'] },
  Thing: { dataSource: 'db', public: true },
  User: { dataSource: 'db', public: false }
}

/** A boot script as applications of LoopBack have it, with one client. */
const script = (options = '{}', more = ''): string => `
const oauth2 = require('loopback-component-oauth2')
module.exports = function (app, callback) {
  const handlers = oauth2.oAuth2Provider(app, Object.assign({ dataSource: app.dataSources.db, rateLimit: false }, ${options}))
  app.set('handlers', Object.keys(handlers))
  ${more}
  app.models.OAuthClientApplication.create(
    { id: 'c', name: 'C', clientSecret: 's', redirectURIs: ['https://c.example/cb'] },
    callback
  )
}`

const files = (options?: string, more?: string) => ({
  'server/model-config.json': modelConfig,
  'server/boot/oauth2.js': script(options, more)
})

const basic = `Basic ${Buffer.from('c:s').toString('base64')}`

async function token(app: FastifyInstance, url = '/oauth/token', scope = 'email'): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url,
    headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString()
  })
}

const bearer = async (app: FastifyInstance, scope?: string): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${(await token(app, undefined, scope)).json<{ access_token: string }>().access_token}`
})

t.test('a boot script sets OAuth up and is given the handlers', async (t) => {
  const app = await bootApp(t, files())
  t.same(app.loopback.get('handlers'), ['authenticate', 'authorization', 'decision', 'token', 'revoke'])
  const answer = await token(app)
  t.equal(answer.statusCode, 200, answer.body)
  t.match(answer.json(), { expires_in: 1_209_600, refresh_token: /./, token_type: 'Bearer' })
  const tokens = app.models.get('OAuthAccessToken')
  t.equal(tokens.modelType.dataSource?.name, 'db', 'tokens are kept in the data source of the options')
  t.match(await tokens.find(), [{ appId: 'c', scopes: ['email'] }])
})

t.test('authenticate(paths) protects the REST API, also against the wrong scope', async (t) => {
  const app = await bootApp(t, files('{}', "handlers.authenticate(['/api'], { session: false, scope: 'email' })"))
  t.equal((await app.inject('/api/Things')).statusCode, 401)
  t.equal((await app.inject({ url: '/api/Things', headers: await bearer(app, 'other') })).statusCode, 403)
  t.equal((await app.inject({ url: '/api/Things', headers: await bearer(app) })).statusCode, 200)
})

t.test(
  'authenticate(paths) protects routes of Express, also without compat and where the API has the path',
  async (t) => {
    const mounted = `handlers.authenticate(['/api', '/own'], { session: false })
    for (const path of ['/own', '/api/Things']) app.get(path, (req, res) => { app.set('reached', true); res.json('own') })`
    for (const options of ['{}', '{ compat: false }']) {
      const app = await bootApp(t, files(options, mounted))
      for (const path of ['/own', '/api/Things']) t.equal((await app.inject(path)).statusCode, 401, path)
      t.notOk(app.loopback.get('reached'))
    }
  }
)

t.test('authenticate(options) makes a handler for routes of Express, which sees who calls', async (t) => {
  const mounted = `app.get('/me', handlers.authenticate({ session: false }), function (req, res) {
    res.json({ app: req.accessToken.appId, user: req.user })
  })`
  const app = await bootApp(t, files('{}', mounted))
  t.equal((await app.inject('/me')).statusCode, 401)
  const answer = await app.inject({ url: '/me', headers: await bearer(app) })
  t.same(answer.json(), { app: 'c', user: {} })
})

t.test('a mapping counts whole paths wherever its handler is mounted', async (t) => {
  const mounted = `const auth = handlers.authenticate({ session: false, scopes: { email: ['/api/things', '/own'] } })
    app.use('/api', auth)
    app.use('/own', auth, (req, res) => res.json('own'))`
  const app = await bootApp(t, files('{}', mounted))
  for (const url of ['/api/Things', '/own/page', '/own']) {
    t.equal((await app.inject(url)).statusCode, 401, url)
    t.equal((await app.inject({ url, headers: await bearer(app, 'other') })).statusCode, 403, url)
    t.equal((await app.inject({ url, headers: await bearer(app) })).statusCode, 200, url)
  }
})

t.test('middleware.json protects paths', async (t) => {
  const middleware = {
    'auth:after': {
      'loopback-component-oauth2#authenticate': { paths: ['/api'], params: { session: false, scope: 'email' } }
    },
    routes: { 'loopback#rest': { paths: ['/api'] } }
  }
  const app = await bootApp(t, { ...files(), 'server/middleware.json': middleware })
  t.equal((await app.inject('/api/Things')).statusCode, 401)
  t.equal((await app.inject({ url: '/api/Things', headers: await bearer(app) })).statusCode, 200)
})

t.test('component-config.json sets OAuth up', async (t) => {
  const app = await bootApp(t, {
    'server/model-config.json': modelConfig,
    'server/component-config.json': {
      'loopback-component-oauth2': { dataSource: 'db', tokenPath: '/t', colour: 'red' }
    },
    'server/boot/client.js': `module.exports = (app, callback) =>
      app.models.OAuthClientApplication.create({ id: 'c', name: 'C', clientSecret: 's' }, callback)`
  })
  t.equal((await token(app, '/t')).statusCode, 200)
  t.equal((await token(app)).statusCode, 404)
  t.ok(notesOf(app).some((note) => note.includes('loopback-component-oauth2.colour')))
})

t.test('a path that is false leaves its route out, and the handler can be mounted elsewhere', async (t) => {
  const mounted = "app.post('/elsewhere', app.loopback.urlencoded({ extended: false }), handlers.token)"
  const app = await bootApp(t, files('{ tokenPath: false }', mounted))
  t.equal((await token(app)).statusCode, 404)
  const answer = await token(app, '/elsewhere')
  t.equal(answer.statusCode, 200, answer.body)
})

t.test('without one of the servers its handlers are missing', async (t) => {
  const resource = await bootApp(t, files('{ authorizationServer: false }'))
  t.same(resource.loopback.get('handlers'), ['authenticate'])
  t.equal((await token(resource)).statusCode, 404)
  const authorization = await bootApp(t, files('{ resourceServer: false }'))
  t.same(authorization.loopback.get('handlers'), ['authorization', 'decision', 'token', 'revoke'])
})

t.test('models of the application may extend those of OAuth', async (t) => {
  const app = await bootApp(t, {
    ...files(
      "{ applicationModel: 'partner' }",
      "app.models.partner.create({ id: 'p', name: 'P', clientSecret: 's', area: 'north' })"
    ),
    'server/model-config.json': { ...modelConfig, partner: { dataSource: 'db', public: false } },
    'common/models/partner.json': { name: 'partner', base: 'OAuthClientApplication', properties: { area: 'string' } }
  })
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    payload: { grant_type: 'client_credentials', client_id: 'p', client_secret: 's' }
  })
  t.equal(answer.statusCode, 200, answer.body)
})

t.test('OAuth is set up once', async (t) => {
  const twice = await refusal(t, files('{}', 'oauth2.oAuth2Provider(app, {})'))
  t.same(twice, { code: 'SCRIPT_ARGUMENT_INVALID', file: 'server/boot/oauth2.js' })
})

t.test('two applications have two OAuths, and those that have none have no routes', async (t) => {
  const [one, other] = [await bootApp(t, files()), await bootApp(t, files("{ tokenPath: '/other' }"))]
  t.equal((await token(one)).statusCode, 200)
  t.equal((await token(other, '/other')).statusCode, 200)
  t.equal((await token(other)).statusCode, 404)
  t.equal((await token(await bootApp(t))).statusCode, 404)
})

const user = `module.exports = (app, callback) =>
  app.models.User.create({ username: 'bob', email: 'bob@example.com', password: 'secret-bob' }, callback)`

t.test('pages of the application are used: its login page, and its view of the consent', async (t) => {
  const own = `
  app.engine('txt', function (path, facts, done) { done(null, 'allow ' + facts.client.name + ' ' + facts.transactionId) })
  app.get('/login', function (req, res) { res.send('our own page') })`
  const app = await bootApp(t, {
    ...files("{ decisionView: 'dialog.txt' }", own),
    'views/dialog.txt': 'x',
    'server/boot/user.js': user
  })
  t.equal((await app.inject('/login')).body, 'our own page')
  const url = '/oauth/authorize?response_type=code&client_id=c&redirect_uri=https%3A%2F%2Fc.example%2Fcb&state=s'
  const first = await app.inject(url)
  t.equal(first.headers.location, '/login')
  const cookies = (answer: LightMyRequestResponse) =>
    Object.fromEntries(answer.cookies.map((one) => [one.name, one.value]))
  const login = await app.inject({
    method: 'POST',
    url: '/login',
    cookies: cookies(first),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=bob&password=secret-bob'
  })
  t.equal(login.headers.location, url)
  const page = await app.inject({ url, cookies: cookies(login) })
  t.match(page.body, /^allow C [A-Za-z0-9]{32}$/)
})
