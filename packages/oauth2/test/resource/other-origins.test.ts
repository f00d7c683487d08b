import cors, { type FastifyCorsOptions } from '@fastify/cors'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { resourceServer, type ResourceServerOptions } from '#src/index.ts'
import { audience, issuer, makeIssuer } from './issuer.ts'

const origin = 'https://app.example'
const models = [{ name: 'Order', public: true, properties: { text: 'string' }, acls: [] }]

/** Where CORS is set up. */
type Place = 'rest' | 'before' | 'after' | 'absent'

interface Parts {
  readonly place: Place
  readonly protection: 'authenticate' | 'protect'
  readonly options?: FastifyCorsOptions
}

async function makeApi(t: Test, { place, protection, options = { origin } }: Parts) {
  const server = await makeIssuer()
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  if (place === 'before') await app.register(cors, options)
  const protect: Partial<ResourceServerOptions> = protection === 'protect' ? { protect: '/api' } : {}
  const scopeMappings = { read: ['Order.find'], write: ['Order.create'] }
  await app.register(resourceServer, { issuer, audience, jwks: server.jwks, scopeMappings, ...protect })
  if (protection === 'authenticate') app.resourceServer.authenticate('/api')
  if (place === 'after') await app.register(cors, options)
  await app.register(rest, { prefix: '/api', ...(place === 'rest' ? { cors: options } : {}) })
  return { app, token: await server.sign({ scope: 'read' }) }
}

const preflight = (app: FastifyInstance, url: string): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  })

for (const protection of ['protect', 'authenticate'] as const) {
  for (const place of ['rest', 'before', 'after'] as const)
    t.test(`${protection}, with CORS by ${place}: preflights are answered, and refusals can be read`, async (t) => {
      const { app, token } = await makeApi(t, { place, protection })
      const asked = await preflight(app, '/api/Orders')
      t.equal(asked.statusCode, 204, asked.body)
      t.match(asked.headers, { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'authorization' })
      const post = { method: 'POST', url: '/api/Orders', payload: { text: 'x' } } as const
      for (const [status, headers] of [
        [401, {}],
        [401, { authorization: 'Bearer wrong' }],
        [403, { authorization: `Bearer ${token}` }]
      ] as const) {
        const answer = await app.inject({ ...post, headers: { origin, ...headers } })
        t.equal(answer.statusCode, status, answer.body)
        t.match(answer.headers['www-authenticate'], /^Bearer/)
        t.equal(answer.headers['access-control-allow-origin'], origin)
        t.equal(answer.headers['access-control-expose-headers'], 'WWW-Authenticate')
      }
      t.equal(await app.models.get('Order').count(), 0)
      const found = await app.inject({ url: '/api/Orders', headers: { origin, authorization: `Bearer ${token}` } })
      t.equal(found.statusCode, 200, found.body)
      t.equal(found.headers['access-control-expose-headers'], undefined)
    })

  t.test(`${protection}, without CORS: a preflight is like any request without a token`, async (t) => {
    const { app } = await makeApi(t, { place: 'absent', protection })
    const { statusCode, headers } = await preflight(app, '/api/Orders')
    t.equal(statusCode, 401)
    t.notOk(Object.keys(headers).some((name) => name.startsWith('access-control')))
  })
}

t.test('the first refusal of a protected path names the scope that opens the operation', async (t) => {
  for (const protection of ['protect', 'authenticate'] as const) {
    const { app } = await makeApi(t, { place: 'absent', protection })
    const challengeOf = async (method: 'GET' | 'POST', url: string) =>
      String((await app.inject({ method, url })).headers['www-authenticate'])
    t.match(await challengeOf('GET', '/api/Orders'), / scope="read"/)
    t.match(await challengeOf('POST', '/api/Orders'), / scope="write"/)
    t.notMatch(await challengeOf('GET', '/api/unknown'), / scope=/)
  }
})

t.test('what CORS exposes itself is kept', async (t) => {
  const exposed = async (options: FastifyCorsOptions) => {
    const { app } = await makeApi(t, { place: 'rest', protection: 'protect', options: { origin, ...options } })
    const { headers } = await app.inject({ url: '/api/Orders', headers: { origin } })
    return headers['access-control-expose-headers']
  }
  t.equal(await exposed({ exposedHeaders: ['etag'] }), 'etag, WWW-Authenticate')
  t.equal(await exposed({ exposedHeaders: ['www-authenticate'] }), 'www-authenticate')
  t.equal(await exposed({ exposedHeaders: '*' }), '*, WWW-Authenticate', '* means nothing to requests with cookies')
})
