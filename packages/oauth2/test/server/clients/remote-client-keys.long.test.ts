import Fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import type { OAuth2Options } from '#src/index.ts'
import { addClient, makeApp, post } from '../../make-app.ts'

interface Host {
  readonly address: string
  readonly asked: string[]
  readonly state: { keys: object[]; status: number; body?: string }
}

/** Publishes keys on a port of this machine. */
async function serveKeys(t: Test): Promise<Host> {
  const app = Fastify()
  const host = { asked: [] as string[], state: { keys: [], status: 200 } as Host['state'] }
  app.addHook('onRequest', async ({ url }) => void host.asked.push(url))
  app.get('/keys', async (_request, reply) =>
    reply.code(host.state.status).send(host.state.body ?? { keys: host.state.keys })
  )
  app.get('/moved', async (_request, reply) => reply.redirect('/keys'))
  app.get('/slow', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).write('{"keys":[')
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { ...host, address }
}

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } }
}

type Key = Awaited<ReturnType<typeof makeKey>>

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

async function prove(app: FastifyInstance, { kid, privateKey }: Key, header: object = {}) {
  const client_assertion = await new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid, ...header })
    .setIssuer('robot')
    .setSubject('robot')
    .setAudience('https://as.example')
    .setExpirationTime('1m')
    .sign(privateKey)
  return post(app, '/oauth/token', { grant_type: 'client_credentials', client_assertion, client_assertion_type })
}

async function start(t: Test, path = '/keys', options: OAuth2Options = { privateClientKeys: true }) {
  const [host, key] = [await serveKeys(t), await makeKey('k1')]
  host.state.keys = [key.jwk]
  const app = await makeApp(t, { options: { rateLimit: false, ...options } })
  await addClient(app, { id: 'robot', authMethod: 'private_key_jwt', jwksUri: host.address + path })
  return { host, key, app }
}

t.test('a client proves itself with the keys at its address, which are read once', async (t) => {
  const { app, key, host } = await start(t)
  const answers = await Promise.all(Array.from({ length: 5 }, () => prove(app, key)))
  for (const { statusCode, body } of answers) t.equal(statusCode, 200, body)
  t.same(host.asked, ['/keys'])
})

t.test('a JWT grant is verified by them, too', async (t) => {
  const { app, key } = await start(t)
  await app.ready()
  await app.models.get('OAuthPermission').create({ appId: 'robot', userId: 'u1', scopes: ['read'] })
  const assertion = await new SignJWT({ scope: 'read', jti: 'j' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setIssuer('robot')
    .setSubject('bob')
    .setAudience('https://as.example')
    .setExpirationTime('1m')
    .sign(key.privateKey)
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  t.match((await post(app, '/oauth/token', { grant_type, assertion })).json(), { scope: 'read' })
})

t.test('made-up keys make this server ask once, and a new key is found after a while', async (t) => {
  const { app, key, host } = await start(t)
  const next = await makeKey('k2')
  t.equal((await prove(app, key)).statusCode, 200)
  for (let turn = 0; turn < 20; turn++) t.equal((await prove(app, key, { kid: `made-up-${turn}` })).statusCode, 401)
  t.equal(host.asked.length, 1)
  host.state.keys = [key.jwk, next.jwk]
  t.equal((await prove(app, next)).statusCode, 401, 'a moment later')
  turnClock(t, 31_000)
  t.equal((await prove(app, next)).statusCode, 200)
  t.equal(host.asked.length, 2)
})

/** Lets the clock go on. */
function turnClock(t: Test, milliseconds: number): void {
  const { now } = Date
  const later = now() + milliseconds
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => later
}

t.test('keys that cannot be read prove nothing, and are not asked for each time', async (t) => {
  const faults: readonly (readonly [string, Partial<Host['state']>, string?])[] = [
    ['an error', { status: 500 }],
    ['no JSON', { body: '<html>' }],
    ['no set', { body: '{"keys":{}}' }],
    ['a very long set', { body: `{"keys":[],"x":"${'x'.repeat(70_000)}"}` }],
    ['a redirect', {}, '/moved']
  ]
  for (const [name, state, path] of faults) {
    const { app, key, host } = await start(t, path)
    Object.assign(host.state, state)
    for (let turn = 0; turn < 3; turn++) {
      const answer = await prove(app, key)
      t.equal(answer.statusCode, 401, name)
      t.match(answer.json(), { error: 'invalid_client' })
      t.notMatch(answer.body, host.address, 'the answer says nothing of the network')
    }
    t.same(host.asked, [path ?? '/keys'], name)
  }
})

t.test('once they can be read again they count again', async (t) => {
  const { app, key, host } = await start(t)
  host.state.status = 500
  t.equal((await prove(app, key)).statusCode, 401)
  host.state.status = 200
  t.equal((await prove(app, key)).statusCode, 401)
  turnClock(t, 11_000)
  t.equal((await prove(app, key)).statusCode, 200)
})

t.test('a host that never ends its answer is not waited for', { timeout: 15_000 }, async (t) => {
  const { app, key } = await start(t, '/slow')
  t.equal((await prove(app, key)).statusCode, 401)
})

t.test('unless the option says so, no address of this machine is asked', async (t) => {
  const { app, key, host } = await start(t, '/keys', {})
  const { port } = new URL(host.address)
  const clients = app.models.get('OAuthClientApplication')
  const addresses = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']
  for (const scheme of ['http', 'https'])
    for (const name of addresses) {
      await clients.updateAll({ id: 'robot' }, { jwksURI: `${scheme}://${name}:${port}/keys` })
      t.equal((await prove(app, key)).statusCode, 401, `${scheme} ${name}`)
    }
  t.equal(host.asked.length, 0)
})

t.test('the option opens http to this machine alone', async (t) => {
  const { app, key } = await start(t)
  const clients = app.models.get('OAuthClientApplication')
  for (const jwksURI of ['http://keys.example/', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'data:,x', 'keys', '']) {
    await clients.updateAll({ id: 'robot' }, { jwksURI })
    t.equal((await prove(app, key)).statusCode, 401, jwksURI)
  }
})

t.test('an assertion does not say where its keys are', async (t) => {
  const { app, key } = await start(t)
  const other = await serveKeys(t)
  const evil = await makeKey('evil')
  other.state.keys = [evil.jwk]
  for (const header of [{ jku: `${other.address}/keys` }, { jwk: evil.jwk }])
    t.equal((await prove(app, evil, header)).statusCode, 401)
  t.equal(other.asked.length, 0)
  t.equal((await prove(app, key)).statusCode, 200)
})

t.test('a client is created with keys or with their address', async (t) => {
  const app = await makeApp(t)
  const create = (given: object) => addClient(app, { authMethod: 'private_key_jwt', ...given })
  for (const given of [
    {},
    { jwks: '{"keys":[]}', jwksUri: 'https://keys.example/' },
    { jwksUri: 'http://keys.example/' },
    { jwksUri: 'file:///etc/passwd' },
    { jwksUri: 'keys' }
  ])
    await t.rejects(create(given), { code: 'OAUTH_CLIENT_INVALID' }, JSON.stringify(given))
  const { id } = await create({ jwksUri: 'https://keys.example/' })
  t.match(await app.oauth2.clients.find(id), { jwksUri: 'https://keys.example/' })
})
