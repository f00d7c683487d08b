import { Readable } from 'node:stream'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { resourceServer } from '#src/index.ts'
import { audience, issuer, makeIssuer } from './issuer.ts'
import { echo, makeApi, withToken } from './resource-app.ts'

/** An API that protects /api, with hooks of an inner scope. */
async function makeInner(t: Test, addHooks: (scope: FastifyInstance) => void | Promise<void>) {
  const server = await makeIssuer()
  const app = await makeApi(t, server, {
    options: { protect: '/api' },
    routes: (api) => {
      void api.register(async (scope) => {
        await addHooks(scope)
        echo(scope, '/api/orders')
        echo(scope, '/api/files/*')
      })
    }
  })
  return { app, token: await server.sign() }
}

t.test('refusals have the headers that inner scopes add', async (t) => {
  const { app, token } = await makeInner(t, async (scope) => {
    scope.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
    scope.addHook('onSend', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'))
    await scope.register(rateLimit, { max: 2 })
  })
  const first = await app.inject('/api/orders')
  t.match(first.headers, { 'x-request-id': /./, 'x-content-type-options': 'nosniff', 'x-ratelimit-remaining': '1' })
  t.match([first.statusCode, first.json()], [401, { error: 'invalid_token' }])
  t.equal((await app.inject(withToken('/api/orders', token))).statusCode, 200)
  t.equal((await app.inject('/api/orders')).statusCode, 429, 'who is refused counts, too')
})

t.test('a request that is refused is not parsed, and its handler does not run', async (t) => {
  const steps: string[] = []
  const { app } = await makeInner(t, (scope) => {
    scope.addHook('onRequest', async (request) => void steps.push(`onRequest ${String(request.oauth2)}`))
    for (const name of ['preParsing', 'preValidation', 'preHandler'] as const)
      scope.addHook(name, async () => void steps.push(name))
  })
  const payload = '{ malformed'
  const headers = { 'content-type': 'application/json' }
  t.equal((await app.inject({ method: 'POST', url: '/api/orders', payload, headers })).statusCode, 401)
  t.same(steps, ['onRequest null'])
})

const answers: Readonly<Record<string, (reply: FastifyReply) => unknown>> = {
  text: (reply) => reply.send('secret'),
  'a cached answer': (reply) => reply.header('etag', '"secret"').code(304).send(),
  'an empty answer': (reply) => reply.code(204).send(),
  'a redirect': (reply) => reply.redirect('/secret'),
  'a stream': (reply) => reply.header('content-length', '6').send(Readable.from(['secret'])),
  'a compressed answer': (reply) =>
    reply.headers({ 'content-encoding': 'gzip', 'set-cookie': 'secret=1' }).send('secret'),
  'an error': () => {
    throw new Error('secret')
  }
}

for (const [what, answer] of Object.entries(answers))
  for (const method of ['GET', 'OPTIONS'] as const)
    t.test(`attack: ${what} of a later hook is no way around a refusal of ${method}`, async (t) => {
      const { app, token } = await makeInner(t, (scope) => {
        scope.addHook('onRequest', async (_request, reply) => answer(reply))
      })
      // What a browser asks about is answered where it holds nothing.
      const asks = method === 'OPTIONS' ? { origin: 'https://x.example', 'access-control-request-method': 'GET' } : {}
      const refused = await app.inject({ method, url: '/api/orders', headers: asks })
      if (method === 'OPTIONS' && what === 'an empty answer') t.equal(refused.statusCode, 204, 'as CORS answers')
      else t.match([refused.statusCode, refused.json()], [401, { error: 'invalid_token' }])
      t.notMatch(JSON.stringify([refused.body, refused.headers]), 'secret')
      t.not((await app.inject(withToken('/api/orders', token, { method }))).statusCode, 401)
    })

t.test('attack: a preflight does not reach a handler that takes every method', async (t) => {
  const { app } = await makeInner(t, () => undefined)
  const headers = { origin: 'https://x.example', 'access-control-request-method': 'GET' }
  for (const url of ['/api/orders', '/api/files/a', '/api/unknown'])
    t.equal((await app.inject({ method: 'OPTIONS', url, headers })).statusCode, 401, url)
})

t.test('attack: middleware of Express never sees what is refused', async (t) => {
  for (const decorator of ['use', 'runsExpress']) {
    const { app } = await makeInner(t, (scope) => {
      scope.decorate(decorator, true)
      scope.addHook('onRequest', async (_request, reply) => void reply.hijack().raw.end('secret'))
    })
    const refused = await app.inject('/api/orders')
    t.equal(refused.statusCode, 401)
  }
})

t.test('that no token can be judged is told like a refusal', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const jwksUri = 'http://127.0.0.1:1/keys'
  await app.register(resourceServer, { issuer, audience, jwksUri, allowHttp: true, protect: '/api' })
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
    echo(scope, '/api/orders')
  })
  const answer = await app.inject(withToken('/api/orders', await (await makeIssuer()).sign()))
  t.equal(answer.statusCode, 503, answer.body)
  t.ok(answer.headers['x-request-id'])
})
