import formbody from 'node:querystring'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { resourceServer, type ResourceServerOptions } from '#src/index.ts'
import { audience, seconds } from './issuer.ts'
import { echo, withToken } from './resource-app.ts'

type Body = Readonly<Record<string, unknown>>

interface Answers {
  body: unknown
  status: number
  readonly asked: { authorization: string | undefined; form: Body }[]
}

const active = (): Body => ({
  active: true,
  client_id: 'c1',
  sub: 'u1',
  scope: 'read',
  token_type: 'Bearer',
  exp: seconds() + 60
})

/** An authorization server that answers questions about tokens with `answers`, and an API that asks it. */
async function setUp(t: Test, introspection: object = {}, options: Partial<ResourceServerOptions> = {}) {
  const answers: Answers = { body: active(), status: 200, asked: [] }
  const server = Fastify()
  t.teardown(() => server.close())
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, formbody.parse(String(text)))
  })
  server.post('/introspect', async ({ headers: { authorization }, body }, reply) => {
    answers.asked.push({ authorization, form: body as Body })
    return reply.code(answers.status).send(answers.body)
  })
  server.post('/moved', async (_request, reply) => reply.redirect('/introspect', 307))
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const api: FastifyInstance = Fastify()
  t.teardown(() => api.close())
  const asking = { url: `${address}/introspect`, clientId: 'api:1', clientSecret: 'p%+ ä', ...introspection }
  await api.register(resourceServer, {
    issuer: 'https://as.example',
    audience,
    jwks: false,
    protect: '/',
    introspection: asking,
    ...options
  })
  echo(api, '/me')
  const ask = async (token: string) => api.inject(withToken('/me', token))
  return { answers, ask, address }
}

void t.test('an opaque token is asked about once, with form-encoded credentials', async (t) => {
  const { answers, ask } = await setUp(t)
  for (let turn = 0; turn < 3; turn++)
    t.match((await ask('opaque')).json(), { client: 'c1', user: 'u1', scopes: ['read'] })
  t.equal(answers.asked.length, 1)
  const [first] = answers.asked
  t.match(first?.form, { token: 'opaque', token_type_hint: 'access_token' })
  const credentials = Buffer.from(String(first?.authorization).slice(6), 'base64').toString()
  t.equal(credentials, 'api%3A1:p%25%2B+%C3%A4')
})

void t.test('equal questions at the same time are one', async (t) => {
  const { answers, ask } = await setUp(t)
  const all = await Promise.all(Array.from({ length: 20 }, async () => ask('opaque')))
  t.ok(all.every(({ statusCode }) => statusCode === 200))
  t.equal(answers.asked.length, 1)
})

void t.test('the cache is bounded in number and in time', async (t) => {
  const { answers, ask } = await setUp(t, { cacheEntries: 2 })
  for (const token of ['a', 'b', 'c', 'a']) await ask(token)
  t.equal(answers.asked.length, 4, 'the oldest answer made room')
  const none = await setUp(t, { cacheFor: 0 })
  for (const token of ['a', 'a']) await none.ask(token)
  t.equal(none.answers.asked.length, 2)
})

void t.test('a remembered token expires when its time is over', async (t) => {
  const { answers, ask } = await setUp(t, { cacheFor: 1000 })
  t.equal((await ask('a')).statusCode, 200)
  const later = Date.now() + 100_000
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => later
  t.equal((await ask('a')).statusCode, 401)
  t.equal(answers.asked.length, 1)
})

const refused: readonly (readonly [string, unknown])[] = [
  ['inactive', { active: false }],
  ['active as a text', { ...active(), active: 'true' }],
  ['active as a number', { ...active(), active: 1 }],
  ['nothing said', {}],
  ['a refresh token', { ...active(), token_type: undefined }],
  ['a token of another type', { ...active(), token_type: 'DPoP' }],
  ['a token that is bound to a key', { ...active(), cnf: { jkt: 'x' } }],
  ['another resource', { ...active(), aud: 'https://other.example' }],
  ['other resources', { ...active(), aud: ['https://other.example', 'https://third.example'] }],
  ['another issuer', { ...active(), iss: 'https://evil.example' }],
  ['no client', { ...active(), client_id: undefined }],
  ['scopes in a list', { ...active(), scope: ['read'] }],
  ['expired', { ...active(), exp: seconds() - 1 }]
]

void t.test('a token that the answer does not say to be good here is refused', async (t) => {
  const { answers, ask } = await setUp(t)
  for (const [name, body] of refused) {
    answers.body = body
    t.equal((await ask(name.replaceAll(' ', '-'))).statusCode, 401, name)
  }
  answers.body = { ...active(), aud: ['x', audience], iss: 'https://as.example' }
  t.equal((await ask('good')).statusCode, 200)
})

void t.test('a server that does not answer is no fault of the client, and is not remembered', async (t) => {
  const { answers, ask, address } = await setUp(t)
  for (const [status, body] of [
    [500, {}],
    [401, { error: 'invalid_client' }],
    [200, '[]'],
    [200, 'no json'],
    [404, '']
  ] as const) {
    answers.status = status
    answers.body = body
    const answer = await ask('opaque')
    t.equal(answer.statusCode, 503, String(status))
    t.equal(answer.json().code, 'OAUTH_INTROSPECTION_UNAVAILABLE')
  }
  answers.status = 200
  answers.body = active()
  t.equal((await ask('opaque')).statusCode, 200)
  const moved = await setUp(t, { url: `${address}/moved` })
  t.equal((await moved.ask('x')).statusCode, 503, 'secrets are not sent on')
})

void t.test('a token of bytes that no token has, or of much length, is not asked about', async (t) => {
  const { answers, ask } = await setUp(t)
  for (const token of ['a"b', 'a,b', 'a'.repeat(20_000)]) t.ok([400, 401, 431].includes((await ask(token)).statusCode))
  t.equal(answers.asked.length, 0)
})

void t.test('neither keys nor introspection is a mistake', async (t) => {
  const api = Fastify()
  t.teardown(() => api.close())
  const options = { issuer: 'https://as.example', audience, jwks: false } as const
  await t.rejects(async () => api.register(resourceServer, options), { code: 'OAUTH_OPTION_MISSING' })
})
