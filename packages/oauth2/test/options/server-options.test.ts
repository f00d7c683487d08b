import t from 'tap'
import type { OAuth2Options, TokenRequest } from '#src/index.ts'
import { authorizeUrl, decide, getCode, getTokens, locationOf, logIn, redeem, refresh } from '../flow.ts'
import { addClient, basic, callback, makeApp, post } from '../make-app.ts'

const grant = { grant_type: 'client_credentials', scope: 'email' } as const

async function expiresIn(t: Parameters<typeof makeApp>[0], options: OAuth2Options): Promise<readonly number[]> {
  const app = await makeApp(t, { options })
  const client = await addClient(app)
  const own = (await post(app, '/oauth/token', grant, basic(client))).json<{ expires_in: number }>()
  const users = await getTokens(app, client)
  const code = await app.models.get('OAuthAuthorizationCode').findOne()
  return [own.expires_in, users.expires_in, Number(code?.['expiresIn'])]
}

const lifetimes: readonly (readonly [string, OAuth2Options, readonly number[]])[] = [
  ['nothing', {}, [600, 3600, 60]],
  ["compat: 'loopback'", { compat: 'loopback' }, [1_209_600, 1_209_600, 300]],
  ['ttl as a number', { ttl: 70 }, [70, 70, 70]],
  ['ttl as an object', { ttl: { token: 80, code: 90 } }, [80, 80, 90]],
  ['ttl with a lifetime for clients', { ttl: { token: 80, clientToken: 20, code: 90 } }, [20, 80, 90]],
  ['ttl as a function', { ttl: (kind) => (kind === 'code' ? 30 : 100) }, [100, 100, 30]],
  ['getTTL', { getTTL: (kind) => (kind === 'code' ? 31 : 101), ttl: 5 }, [101, 101, 31]]
]

for (const [what, options, wanted] of lifetimes)
  t.test(`${what}: lifetimes of a client's token, of a user's, and of a code`, async (t) => {
    t.same(await expiresIn(t, options), wanted)
  })

t.test('getTTL is told for whom', async (t) => {
  const calls: unknown[][] = []
  const getTTL = (...args: unknown[]): number => {
    calls.push(args)
    return 60
  }
  const app = await makeApp(t, { options: { getTTL } })
  const client = await addClient(app, { id: 'c' })
  await post(app, '/oauth/token', grant, basic(client))
  await getTokens(app, client)
  t.same(calls, [
    ['token', 'c', undefined, ['email'], { grantType: 'client_credentials' }],
    ['code', 'c', 'u1', ['read'], { grantType: 'authorization_code' }],
    ['token', 'c', 'u1', ['read'], { grantType: 'authorization_code' }]
  ])
})

t.test('a getTTL that gives no number is an error of the server, told to its log alone', async (t) => {
  const app = await makeApp(t, { options: { getTTL: () => Number.NaN } })
  const answer = await post(app, '/oauth/token', grant, basic(await addClient(app)))
  t.equal(answer.statusCode, 500)
  t.match(answer.json(), { error: 'server_error' })
})

t.test('generateToken makes tokens and codes, and adds to the answer', async (t) => {
  const calls: TokenRequest[] = []
  const generateToken = (request: TokenRequest) => {
    calls.push(request)
    return {
      id: `${request.refreshToken ? 'R' : 'T'}-${calls.length}`,
      extra: 'field',
      access_token: 'forged',
      nothing: ''
    }
  }
  const app = await makeApp(t, { options: { generateToken } })
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  t.equal(code, 'T-1')
  const answer = await redeem(app, client, code)
  t.same(answer.json(), {
    access_token: 'T-2',
    expires_in: 3600,
    scope: 'read',
    refresh_token: 'R-3',
    extra: 'field',
    token_type: 'Bearer'
  })
  t.match(calls, [
    { grant: 'Authorization Code', user: { username: 'bob' }, scope: ['read'], redirectURI: callback },
    { grant: 'Authorization Code', code: 'T-1', scope: ['read'], redirectURI: callback },
    { grant: 'Authorization Code', refreshToken: true }
  ])
  t.equal((await refresh(app, client, 'R-3')).statusCode, 200)
})

t.test('generateToken may give a text', async (t) => {
  const app = await makeApp(t, { options: { generateToken: ({ grant: name }) => `${name} token` } })
  const answer = await post(app, '/oauth/token', grant, basic(await addClient(app)))
  t.match(answer.json(), { access_token: 'Client Credentials token' })
})

t.test('paths are what options say, and those that are false are not there', async (t) => {
  const paths = {
    authorizePath: '/a',
    tokenPath: '/t',
    revokePath: '/r',
    introspectPath: '/i',
    decisionPath: '/d',
    loginPath: '/l'
  }
  const moved = await makeApp(t, { options: paths })
  const metadata = (await moved.inject('/.well-known/oauth-authorization-server')).json<Record<string, string>>()
  t.match(metadata, { authorization_endpoint: 'https://as.example/a', token_endpoint: 'https://as.example/t' })
  t.equal((await post(moved, '/t', {})).statusCode, 401)
  for (const url of ['/d', '/l']) t.not((await post(moved, url, {})).statusCode, 404, url)
  const none = Object.fromEntries(Object.keys(paths).map((name) => [name, false])) as OAuth2Options // each takes false
  const without = await makeApp(t, { options: none })
  for (const url of [
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/introspect',
    '/oauth/authorize/decision',
    '/login'
  ])
    t.equal((await post(without, url, {})).statusCode, 404, url)
})

t.test('an endpoint whose path is false answers in a route of the application', async (t) => {
  const app = await makeApp(t, { options: { tokenPath: false } })
  app.post('/mine', async (request, reply) => app.oauth2.endpoints?.token(request, reply))
  const client = await addClient(app)
  const payload = { ...grant }
  const good = await app.inject({ method: 'POST', url: '/mine', headers: basic(client), payload })
  t.equal(good.statusCode, 200, good.body)
  const bad = await app.inject({ method: 'POST', url: '/mine', payload })
  t.equal(bad.statusCode, 401)
  t.match(bad.json(), { error: 'invalid_client' })
})

t.test('grants that are not listed are not given', async (t) => {
  const app = await makeApp(t, { options: { supportedGrantTypes: ['clientCredentials'] } })
  const client = await addClient(app)
  const answer = await post(app, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }, basic(client))
  t.match(answer.json(), { error: 'unsupported_grant_type' })
  const page = await (await logIn(app)).get(authorizeUrl(client.id))
  t.equal(locationOf(page).searchParams.get('error'), 'unsupported_response_type')
})

t.test('the native plugin gives neither implicit tokens nor tokens for passwords unless they are listed', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const form = { grant_type: 'password', username: 'bob', password: 'secret-bob' }
  t.match((await post(app, '/oauth/token', form, basic(client))).json(), { error: 'unsupported_grant_type' })
})

t.test('forceAuthorize asks each time', async (t) => {
  const app = await makeApp(t, { options: { forceAuthorize: true } })
  const client = await addClient(app)
  const browser = await logIn(app)
  await decide(browser, await browser.get(authorizeUrl(client.id)))
  t.equal((await browser.get(authorizeUrl(client.id))).statusCode, 200)
})

t.test('allowsPostForAuthorization reads requests from bodies', async (t) => {
  const request = (id: string) => authorizeUrl(id).split('?')[1] ?? ''
  const open = await makeApp(t, { options: { allowsPostForAuthorization: true } })
  const client = await addClient(open)
  t.equal((await (await logIn(open)).post('/oauth/authorize', request(client.id))).statusCode, 200)
  const closed = await makeApp(t)
  const other = await addClient(closed)
  t.equal((await (await logIn(closed)).post('/oauth/authorize', request(other.id))).statusCode, 400)
})

t.test('rotateRefreshTokens: false lets a refresh token work again, as in LoopBack', async (t) => {
  const app = await makeApp(t, { options: { rotateRefreshTokens: false } })
  const client = await addClient(app)
  const { refresh_token } = await getTokens(app, client)
  for (let time = 0; time < 2; time++) t.equal((await refresh(app, client, refresh_token)).statusCode, 200)
})

t.test('models may be those of the application', async (t) => {
  const app = await makeApp(t, {
    options: { models: { clients: 'OAuthClientApplication', accessTokens: 'OAuthAccessToken' } }
  })
  t.equal((await post(app, '/oauth/token', grant, basic(await addClient(app)))).statusCode, 200)
  await t.rejects(makeApp(t, { options: { applicationModel: 'Nothing' } }), { code: 'MODEL_UNKNOWN' })
  await t.rejects(makeApp(t, { options: { jwtAlgorithm: 'HS256' } }), { code: 'OPTION_INVALID' })
})

t.test('what has expired is purged, refresh tokens that still work are kept', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  await getTokens(app, client)
  await post(app, '/oauth/token', grant, basic(client))
  const tokens = app.models.get('OAuthAccessToken')
  t.equal(await app.oauth2.purgeExpired(), 0)
  const tomorrow = new Date(Date.now() + 86_400_000)
  t.equal(await app.oauth2.purgeExpired(tomorrow), 4, 'a token of the client, a code, an answered question, a session')
  t.equal(await tokens.count(), 1)
  t.equal(await app.oauth2.purgeExpired(new Date(Date.now() + 20 * 86_400_000)), 1)
  t.equal(await tokens.count(), 0)
})
