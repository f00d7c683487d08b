import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { resourceServer, type ResourceServerOptions } from '#src/index.ts'
import { audience, goodClaims, makeIssuer, type Issuer } from './issuer.ts'
import { echo, withToken } from './resource-app.ts'

interface Remote {
  readonly address: string
  readonly asked: string[]
  /** What the next answers are. */
  readonly state: { keys: object[]; status: number; issuer?: string }
}

/** An authorization server with nothing but metadata and keys, on a port of this machine. */
async function serveKeys(t: Test, server: Issuer): Promise<Remote> {
  const app = Fastify()
  t.teardown(() => app.close())
  const remote: Remote = { address: '', asked: [], state: { keys: server.jwks.keys, status: 200 } }
  app.addHook('onRequest', async ({ url }) => {
    remote.asked.push(url)
  })
  const address = (): string => app.listeningOrigin
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    reply.code(remote.state.status).send({ issuer: remote.state.issuer ?? address(), jwks_uri: `${address()}/keys` })
  )
  app.get('/keys', async (_request, reply) => reply.code(remote.state.status).send({ keys: remote.state.keys }))
  app.get('/moved', async (_request, reply) => reply.redirect('/keys'))
  return { ...remote, address: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

async function makeApi(t: Test, options: Partial<ResourceServerOptions>): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(resourceServer, { issuer: 'https://as.example', audience, protect: '/', ...options })
  echo(app, '/me')
  await app.ready()
  return app
}

const statusOf = async (api: FastifyInstance, token: string): Promise<number> =>
  (await api.inject(withToken('/me', token))).statusCode

void t.test('keys are found by the metadata of the issuer, and read once', async (t) => {
  const server = await makeIssuer()
  const remote = await serveKeys(t, server)
  const api = await makeApi(t, { issuer: remote.address })
  const sign = async (): Promise<string> => server.sign({ iss: remote.address })
  for (let turn = 0; turn < 3; turn++) t.equal(await statusOf(api, await sign()), 200)
  await Promise.all(Array.from({ length: 5 }, async () => statusOf(api, await sign())))
  t.equal(remote.asked.filter((url) => url === '/keys').length, 1)
})

void t.test('a key that is new is looked for, but not for every made-up one', async (t) => {
  const server = await makeIssuer()
  const remote = await serveKeys(t, server)
  const api = await makeApi(t, { issuer: remote.address })
  t.equal(await statusOf(api, await server.sign({ iss: remote.address })), 200)
  for (let turn = 0; turn < 20; turn++)
    t.equal(await statusOf(api, await server.sign({ iss: remote.address }, { kid: `made-up-${turn}` })), 401)
  t.ok(remote.asked.length <= 4, `asked ${remote.asked.length} times`)
})

void t.test('without the keys no token is judged: that is no fault of the client', async (t) => {
  const server = await makeIssuer()
  const remote = await serveKeys(t, server)
  remote.state.status = 500
  const token = await server.sign({ iss: remote.address })
  for (const jwksUri of [undefined, `${remote.address}/keys`, 'http://127.0.0.1:9/keys']) {
    const api = await makeApi(t, { issuer: remote.address, ...(jwksUri === undefined ? {} : { jwksUri }) })
    const answer = await api.inject(withToken('/me', token))
    t.equal(answer.statusCode, 503)
    t.equal(answer.json().code, 'OAUTH_KEYS_UNAVAILABLE')
    t.notMatch(answer.body, token)
  }
})

void t.test('attack: metadata that name another issuer', async (t) => {
  const server = await makeIssuer()
  const remote = await serveKeys(t, server)
  remote.state.issuer = 'https://as.example'
  const api = await makeApi(t, { issuer: remote.address })
  t.equal(await statusOf(api, await server.sign({ iss: remote.address })), 503)
})

void t.test('attack: another authorization server, whose keys are its own (mix-up)', async (t) => {
  const [ours, theirs] = [await makeIssuer(), await makeIssuer()]
  const [remote, other] = [await serveKeys(t, ours), await serveKeys(t, theirs)]
  const api = await makeApi(t, { issuer: remote.address })
  t.equal(await statusOf(api, await theirs.sign({ iss: other.address })), 401)
  t.equal(await statusOf(api, await theirs.sign({ iss: remote.address })), 401)
  t.equal(await statusOf(api, await theirs.sign({ iss: remote.address }, { jku: `${other.address}/keys` })), 401)
  t.equal(other.asked.length, 0, 'nothing of the token makes this server ask somebody')
})

void t.test('attack: keys without end', async (t) => {
  const server = await makeIssuer()
  const remote = await serveKeys(t, server)
  remote.state.keys = [{ ...server.publicJwk, filler: 'x'.repeat(1_048_576) }]
  const api = await makeApi(t, { issuer: remote.address })
  t.equal(await statusOf(api, await server.sign({ iss: remote.address })), 503)
})

void t.test('attack: keys by way of a redirect', async (t) => {
  const server = await makeIssuer()
  const remote = await serveKeys(t, server)
  const api = await makeApi(t, { issuer: remote.address, jwksUri: `${remote.address}/moved` })
  t.equal(await statusOf(api, await server.sign({ iss: remote.address })), 503)
})

void t.test('addresses without TLS are refused when the server starts', async (t) => {
  const insecure: readonly Partial<ResourceServerOptions>[] = [
    { issuer: 'http://as.example' },
    { jwksUri: 'http://as.example/keys' },
    { jwksUri: 'ftp://as.example/keys' },
    { jwksUri: 'http://localhost.evil.example/keys' },
    { jwksUri: 'http://127.0.0.1.evil.example/keys' },
    { jwksUri: 'https://user:password@as.example/keys' },
    { jwksUri: 'file:///etc/passwd' },
    { jwks: false, introspection: { url: 'http://as.example/introspect', clientId: 'a', clientSecret: 'b' } }
  ]
  for (const options of insecure)
    await t.rejects(makeApi(t, options), { code: 'OAUTH_ADDRESS_INSECURE' }, JSON.stringify(options))
  t.ok(await makeApi(t, { jwksUri: 'http://as.example/keys', allowHttp: true }))
})

void t.test('a key that was withdrawn counts no longer, though its tokens were verified before', async (t) => {
  const [first, second] = [await makeIssuer('ES256', 'a'), await makeIssuer('ES256', 'b')]
  const remote = await serveKeys(t, first)
  const api = await makeApi(t, { issuer: remote.address, keysCacheFor: 1 })
  const token = await first.sign({ iss: remote.address })
  t.equal(await statusOf(api, token), 200)
  remote.state.keys = second.jwks.keys
  t.equal(await statusOf(api, token), 200, 'remembered')
  const later = Date.now() + 1100
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => later
  t.equal(await statusOf(api, token), 401)
})

void t.test('one verified token says nothing of a similar one', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, { jwks: server.jwks })
  const token = await server.sign()
  t.equal(await statusOf(api, token), 200)
  const [header = '', payload = '', signature = ''] = token.split('.')
  const other = Buffer.from(JSON.stringify({ ...goodClaims(), sub: 'admin' })).toString('base64url')
  for (const text of [`${header}.${other}.${signature}`, `${header}.${payload}.`, `${token}A`, token.slice(0, -1)])
    t.equal(await statusOf(api, text), 401)
})
