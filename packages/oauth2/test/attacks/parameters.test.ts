import t from 'tap'
import { authorizeUrl, logIn } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'

const everyGrant = [
  'authorizationCode',
  'clientCredentials',
  'refreshToken',
  'resourceOwnerPasswordCredentials',
  'implicit',
  'jwt'
] as const

const tokenParameters = [
  'grant_type',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'username',
  'password',
  'assertion',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'sub'
] as const

/** Values that a query language would take for more than a text. */
const shapes: Readonly<Record<string, unknown>> = {
  'a list': ['a', 'b'],
  'a list of one': ['a'],
  'an object': { a: 'b' },
  'an operator': { neq: 'x' },
  'a like': { like: '%' },
  'a pattern': { regexp: '.*' },
  'a number': 1,
  'a truth': true,
  nothing: null
}

/** A request that would work but for one parameter. */
const usual = { grant_type: 'client_credentials', scope: 'read' } as const

for (const [shape, value] of Object.entries(shapes))
  t.test(`no parameter of a token request may be ${shape} in JSON`, async (t) => {
    const app = await makeApp(t, { options: { supportedGrantTypes: [...everyGrant], rateLimit: false } })
    const client = await addClient(app)
    for (const name of tokenParameters) {
      const payload = { ...usual, [name]: value }
      const answer = await app.inject({ method: 'POST', url: '/oauth/token', headers: basic(client), payload })
      t.equal(answer.statusCode, 400, `${name}: ${answer.body}`)
      t.equal(answer.json<{ error: string }>().error, 'invalid_request')
    }
  })

const forms: Readonly<Record<string, (name: string) => string>> = {
  'there twice': (name) => `${name}=a&${name}=b`,
  'there twice with one value': (name) => `${name}=a&${name}=a`,
  'a list in brackets': (name) => `${name}[]=a`,
  'a numbered list': (name) => `${name}[0]=a`,
  'an object in brackets': (name) => `${name}[like]=%25`,
  'an object in encoded brackets': (name) => `${name}%5Bneq%5D=x`,
  'an object with a dot': (name) => `${name}.neq=x`
}

for (const [shape, write] of Object.entries(forms)) {
  t.test(`no parameter of a token request may be ${shape} in a form`, async (t) => {
    const app = await makeApp(t, { options: { supportedGrantTypes: [...everyGrant], rateLimit: false } })
    const client = await addClient(app)
    for (const name of tokenParameters) {
      const rest = Object.entries(usual).filter(([key]) => key !== name)
      const form = `${new URLSearchParams(Object.fromEntries(rest)).toString()}&${write(name)}`
      const answer = await post(app, '/oauth/token', form, basic(client))
      t.equal(answer.statusCode, 400, `${name}: ${answer.body}`)
    }
  })

  t.test(`no parameter of an authorization request may be ${shape}, and the server goes on`, async (t) => {
    const app = await makeApp(t, { options: { supportedGrantTypes: [...everyGrant], rateLimit: false } })
    const client = await addClient(app)
    const browser = await logIn(app)
    const names = ['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'nonce', 'prompt']
    for (const name of names) {
      const answer = await browser.get(`${authorizeUrl(client.id, { [name]: undefined })}&${write(name)}`)
      t.equal(answer.statusCode, 400, name)
      t.notOk(answer.headers.location, 'nobody is sent anywhere')
    }
    t.equal((await browser.get(authorizeUrl(client.id))).statusCode, 200)
  })
}

t.test('a token to revoke or to ask about is one text, so that nothing else ends', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const { access_token: token } = (await post(app, '/oauth/token', usual, basic(client))).json<{
    access_token: string
  }>()
  for (const url of ['/oauth/revoke', '/oauth/introspect']) {
    const payload = { token: { neq: 'x' } }
    t.equal((await app.inject({ method: 'POST', url, headers: basic(client), payload })).statusCode, 400)
    t.equal((await post(app, url, 'token[neq]=x', basic(client))).statusCode, 400)
    t.equal((await post(app, url, 'token=a&token=b', basic(client))).statusCode, 400)
  }
  const answer = await post(app, '/oauth/introspect', { token }, basic(client))
  t.match(answer.json(), { active: true })
})

t.test('a decision names its question by one text', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id))
  const csrf = /name="csrf_token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  for (const form of ['transaction_id=a&transaction_id=b', 'transaction_id[]=a', 'transaction_id[neq]=x'])
    t.equal((await browser.post('/oauth/authorize/decision', `${form}&csrf_token=${csrf}`)).statusCode, 400)
})

const bodies: readonly (readonly [string, string, string, number])[] = [
  [
    'JSON with a name of the object model',
    'application/json',
    '{"__proto__":{"grant_type":"client_credentials"}}',
    400
  ],
  ['JSON that is none', 'application/json', '{"grant_type":', 400],
  ['JSON that is a list', 'application/json', '["grant_type"]', 400],
  ['JSON that is a text', 'application/json', '"grant_type"', 400],
  ['XML', 'application/xml', '<grant_type>client_credentials</grant_type>', 400],
  ['a form with a zero', 'application/x-www-form-urlencoded', 'grant_type=client_credentials&scope=a%00b', 400],
  ['a form that is too long', 'application/x-www-form-urlencoded', `grant_type=x&a=${'a'.repeat(70_000)}`, 400],
  ['a scope with a quote', 'application/x-www-form-urlencoded', 'grant_type=client_credentials&scope=a%22b', 400],
  [
    'a scope with a line break',
    'application/x-www-form-urlencoded',
    'grant_type=client_credentials&scope=a%0d%0ab',
    400
  ]
]

for (const [what, type, payload, status] of bodies)
  t.test(`${what} gets no token`, async (t) => {
    const app = await makeApp(t)
    const client = await addClient(app)
    const headers = { ...basic(client), 'content-type': type }
    const answer = await app.inject({ method: 'POST', url: '/oauth/token', headers, payload })
    t.equal(answer.statusCode, status, answer.body)
    t.match(answer.json(), { error: /^invalid_(request|scope)$/ })
    t.equal(answer.headers['cache-control'], 'no-store')
  })

t.test('what stands in the query of a token request does not count', async (t) => {
  const app = await makeApp(t)
  const { id, secret } = await addClient(app)
  const query = new URLSearchParams({ ...usual, client_id: id, client_secret: secret }).toString()
  t.equal((await post(app, `/oauth/token?${query}`, '')).statusCode, 401)
  t.equal((await app.inject(`/oauth/token?${query}`)).statusCode, 405)
})
