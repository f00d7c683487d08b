import t from 'tap'
import { locationOf, pkce } from '../../flow.ts'
import { addClient, basic, callback, makeApp, post } from '../../make-app.ts'
import { fieldOf, makeBrowser } from '../../pages/page-app.ts'

type Metadata = Record<string, string>
const pathOf = (address: unknown): string => new URL(String(address), 'https://example.org').pathname

t.test('everything is below the path of the issuer, where the metadata say', async (t) => {
  const options = { keys: {}, issuer: 'https://example.org/auth/', introspectPath: '/auth/ask' }
  const app = await makeApp(t, { options })
  const client = await addClient(app)
  const metadata = (await app.inject('/auth/.well-known/openid-configuration')).json<Metadata>()
  t.equal(metadata['issuer'], 'https://example.org/auth/')
  const addresses = Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name))
  t.equal(addresses.length, 8)
  for (const [name, address] of addresses) {
    t.match(address, /^https:\/\/example\.org\/auth\/(?!auth)/, name)
    const answers = await Promise.all(
      (['GET', 'POST'] as const).map(async (method) => app.inject({ method, url: pathOf(address) }))
    )
    t.ok(
      answers.some(({ statusCode }) => statusCode !== 404),
      name
    )
  }
  t.equal((await post(app, '/oauth/token', {})).statusCode, 404)
  const token = await post(app, pathOf(metadata['token_endpoint']), { grant_type: 'client_credentials' }, basic(client))
  const { access_token } = token.json<{ access_token: string }>()
  t.match((await post(app, '/auth/ask', { token: access_token }, basic(client))).json(), { active: true })
})

t.test('people log in and permit below the path of the issuer', async (t) => {
  const app = await makeApp(t, { options: { keys: {}, issuer: 'https://example.org/auth' } })
  const client = await addClient(app)
  const browser = makeBrowser(app)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: callback,
    scope: 'openid',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256'
  })
  const login = String((await browser.get(`/auth/oauth/authorize?${query.toString()}`)).headers.location)
  t.match(login, /^\/auth\/login\?return_to=%2Fauth%2Foauth%2Fauthorize/)
  const form = (await browser.get(login)).body
  t.match(form, 'action="/auth/login"')
  const back = await browser.post('/auth/login', {
    username: 'bob',
    password: 'secret-bob',
    csrf_token: fieldOf(form, 'csrf_token'),
    return_to: fieldOf(form, 'return_to')
  })
  const consent = await browser.get(String(back.headers.location))
  t.match(consent.body, 'action="/auth/oauth/authorize/decision"')
  const answer = await browser.post('/auth/oauth/authorize/decision', {
    transaction_id: fieldOf(consent.body, 'transaction_id'),
    csrf_token: fieldOf(consent.body, 'csrf_token')
  })
  t.ok(locationOf(answer).searchParams.get('code'))
})

t.test('metadata are where OAuth and where OpenID Connect look for them', async (t) => {
  const at = async (issuer: string, paths: readonly string[]) => {
    const app = await makeApp(t, { options: { keys: {}, issuer } })
    for (const path of paths) t.match((await app.inject(path)).json(), { issuer }, path)
    return app
  }
  const names = ['oauth-authorization-server', 'openid-configuration']
  await at(
    'https://example.org',
    names.map((name) => `/.well-known/${name}`)
  )
  const below = names.flatMap((name) => [`/.well-known/${name}/a/b`, `/a/b/.well-known/${name}`])
  const app = await at('https://example.org/a/b', below)
  for (const name of names) t.equal((await app.inject(`/.well-known/${name}`)).statusCode, 404, 'another issuer')
})

t.test('an issuer whose path is a pattern keeps the server from starting', async (t) => {
  for (const path of ['/:tenant', '/a/*'])
    await t.rejects(makeApp(t, { options: { issuer: `https://example.org${path}` } }), { code: 'OPTION_INVALID' }, path)
})
