import t from 'tap'
import { makeIssuer, seconds } from './issuer.ts'
import { echo, makeApi, withToken } from './resource-app.ts'

const protect = { protect: '/api' }

void t.test('a valid token tells handlers who calls', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, { options: protect, routes: (app) => echo(app, '/api/me') })
  const answer = await api.inject(withToken('/api/me', await server.sign()))
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), {
    client: 'c1',
    user: 'u1',
    scopes: ['read', 'write'],
    principal: { userId: 'u1', appId: 'c1', scopes: ['read', 'write', 'DEFAULT'] }
  })
  const again = await api.inject(withToken('/api/me', await server.sign(), { headers: {} }))
  t.equal(again.statusCode, 200)
})

void t.test('a request without a token is told where tokens come from, and of no error', async (t) => {
  const server = await makeIssuer()
  const options = { ...protect, realm: 'shop "1"' }
  const api = await makeApi(t, server, { options, routes: (app) => echo(app, '/api/me') })
  const { statusCode, headers } = await api.inject('/api/me')
  t.equal(statusCode, 401)
  const where = 'https://api.example/.well-known/oauth-protected-resource'
  t.equal(headers['www-authenticate'], `Bearer realm="shop \\"1\\"", resource_metadata="${where}"`)
  t.equal(headers['cache-control'], 'no-store')
})

void t.test('each refusal has its status and its challenge', async (t) => {
  const server = await makeIssuer()
  const stranger = await makeIssuer()
  const api = await makeApi(t, server, { options: protect, routes: (app) => echo(app, '/api/me') })
  const good = await server.sign()
  const cases: readonly (readonly [string, string, number, string | undefined])[] = [
    ['a made-up token', 'Bearer nope', 401, 'invalid_token'],
    ['another server’s token', `Bearer ${await stranger.sign()}`, 401, 'invalid_token'],
    ['an expired token', `Bearer ${await server.sign({ exp: seconds() - 60 })}`, 401, 'invalid_token'],
    ['no scheme', good, 400, 'invalid_request'],
    ['two tokens', `Bearer ${good} ${good}`, 400, 'invalid_request'],
    ['no token', 'Bearer', 400, 'invalid_request'],
    ['signs that no token has', 'Bearer a,b', 400, 'invalid_request'],
    ['another scheme', `Basic ${good}`, 401, undefined],
    ['a scheme that ours begins', `BearerX ${good}`, 401, undefined]
  ]
  for (const [name, authorization, status, error] of cases) {
    const answer = await api.inject({ url: '/api/me', headers: { authorization } })
    t.equal(answer.statusCode, status, name)
    const challenge = String(answer.headers['www-authenticate'])
    t.match(challenge, error === undefined ? /^Bearer (?!.*error=)/ : new RegExp(`^Bearer .*error="${error}"`), name)
    t.notMatch(answer.body, good)
    t.type(answer.json().error, 'string')
  }
  const lower = await api.inject({ url: '/api/me', headers: { authorization: `bearer ${good}` } })
  t.equal(lower.statusCode, 200, 'the scheme is written in any case')
})

void t.test('attack: a token anywhere but in the header', async (t) => {
  const server = await makeIssuer()
  const token = await server.sign()
  const api = await makeApi(t, server, { options: protect, routes: (app) => echo(app, '/api/me') })
  const form = { 'content-type': 'application/json' }
  for (const request of [
    { url: `/api/me?access_token=${token}` },
    { url: '/api/me', headers: { 'x-access-token': token } },
    { url: '/api/me', headers: { cookie: `access_token=${token}` } },
    { url: '/api/me', method: 'POST', headers: form, payload: { access_token: token } } as const
  ])
    t.equal((await api.inject(request)).statusCode, 401)
})

void t.test('where the query is read, a token is there once and as a text', async (t) => {
  const server = await makeIssuer()
  const token = await server.sign()
  const options = { ...protect, tokenInQuery: true }
  const api = await makeApi(t, server, { options, routes: (app) => echo(app, '/api/me') })
  t.equal((await api.inject(`/api/me?access_token=${token}`)).statusCode, 200)
  for (const query of [
    `access_token=${token}&access_token=${token}`,
    `access_token=${token}&access_token=x`,
    'access_token[like]=a%25',
    'access_token[neq]=x',
    'access_token[]=x',
    `access_token[0]=${token}`,
    'access_token%5Blike%5D=%25',
    'access_token.like=x'
  ])
    t.equal((await api.inject(`/api/me?${query}`)).statusCode, 400, query)
  t.equal((await api.inject(withToken(`/api/me?access_token=${token}`, token))).statusCode, 400, 'two ways at once')
})

void t.test('an optional token may be missing, but not wrong', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, {
    routes: (app) => {
      app.resourceServer.authenticate('/api', { optional: true })
      echo(app, '/api/me')
    }
  })
  t.equal((await api.inject('/api/me')).json().client, null)
  t.equal((await api.inject(withToken('/api/me', await server.sign()))).json().client, 'c1')
  t.equal((await api.inject(withToken('/api/me', 'nope'))).statusCode, 401)
})

void t.test('a route asks for a token by its config, or by a hook', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, {
    routes: (app) => {
      const answer = async (): Promise<object> => ({})
      app.get('/config', { config: { oauth2: { scope: 'read' } } }, answer)
      app.get('/any', { config: { oauth2: true } }, answer)
      app.get('/hook', { onRequest: app.resourceServer.authenticate({ scope: 'admin' }) }, answer)
      app.get('/open', { config: { oauth2: false } }, answer)
    }
  })
  const token = await server.sign()
  for (const url of ['/config', '/any', '/hook']) t.equal((await api.inject(url)).statusCode, 401, url)
  t.equal((await api.inject('/open')).statusCode, 200)
  t.equal((await api.inject(withToken('/config', token))).statusCode, 200)
  t.equal((await api.inject(withToken('/any', token))).statusCode, 200)
  const refused = await api.inject(withToken('/hook', token))
  t.equal(refused.statusCode, 403)
  t.match(refused.headers['www-authenticate'], /error="insufficient_scope", .*scope="admin"/)
})

void t.test('headers tell who calls, and nobody can write them', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, {
    options: { addHttpHeaders: true },
    routes: (app) => {
      app.get('/api', { config: { oauth2: true } }, async ({ raw: { headers } }) => headers)
      app.get('/open', async ({ raw: { headers } }) => headers)
    }
  })
  const spoofed = { 'x-oauth2-user-id': 'admin', 'X-OAUTH2-CLIENT-ID': 'evil' }
  const seen = (await api.inject(withToken('/api', await server.sign(), { headers: spoofed }))).json()
  t.match(seen, { 'x-oauth2-user-id': 'u1', 'x-oauth2-client-id': 'c1', 'X-OAUTH2-USER-ID': 'u1' })
  const alone = await server.sign({ sub: 'c1' })
  const client = (await api.inject(withToken('/api', alone, { headers: spoofed }))).json()
  t.notOk('x-oauth2-user-id' in client, 'a client alone is no user')
  const open = (await api.inject({ url: '/open', headers: spoofed })).json()
  t.notOk('x-oauth2-user-id' in open || 'x-oauth2-client-id' in open, 'nor on open routes')
})

void t.test('scopes with a meaning inside of users are given to no client', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, { options: protect, routes: (app) => echo(app, '/api/me') })
  const token = await server.sign({ scope: 'read reset-password' })
  t.strictSame((await api.inject(withToken('/api/me', token))).json().principal.scopes, ['read', 'DEFAULT'])
})
