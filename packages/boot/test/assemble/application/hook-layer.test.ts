import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp } from '../../make-app.ts'

const who = `(req, res, next) => {
  const told = req.accessToken === undefined ? 'not asked' : req.accessToken && req.accessToken.userId
  if (req.path === '/who') res.json({ told })
  else { req.told = told; next() }
}`

/** An application whose middleware of Express, in these phases, tells who calls. */
async function start(t: Test, phase: string, more: object = {}): Promise<FastifyInstance> {
  return bootApp(t, {
    'server/middleware.json': {
      auth: { 'loopback#token': {} },
      parse: {},
      routes: { 'loopback#rest': { paths: ['/api'] } },
      'final:after': { 'strong-error-handler': { params: { log: false } } }
    },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      AccessToken: { dataSource: 'db', public: false },
      User: { dataSource: 'db', public: false },
      Thing: { dataSource: 'db', public: true }
    },
    'server/boot/a.js': `module.exports = (app) => {
      app.enableAuth()
      app.middleware('${phase}', ${who})
      app.models.Thing.told = (ctx) => Promise.resolve(ctx.req.told)
      app.models.Thing.remoteMethod('told', {
        accepts: [{ arg: 'ctx', type: 'object', http: { source: 'context' } }], returns: { arg: 'told' }, http: { verb: 'get' }
      })
    }`,
    ...more
  })
}

void t.test('middleware of Express that comes after loopback#token sees the token', async (t) => {
  const server = await start(t, 'parse')
  await server.models.get('AccessToken').create({ id: 'right', userId: 7, ttl: 100 })
  const told = async (url: string, authorization?: string): Promise<unknown> =>
    (await server.inject({ url, headers: authorization === undefined ? {} : { authorization } })).json<{
      told: unknown
    }>().told
  t.equal(await told('/who', 'right'), 7)
  t.equal(await told('/who', 'wrong'), null)
  t.equal(await told('/who'), null)
  t.equal(await told('/api/Things/told', 'right'), 7)
  t.equal(await told('/api/Things/told?access_token=right'), 7)
})

void t.test('middleware that comes before it does not', async (t) => {
  const server = await start(t, 'initial')
  await server.models.get('AccessToken').create({ id: 'right', userId: 7, ttl: 100 })
  const answer = await server.inject({ url: '/who', headers: { authorization: 'right' } })
  t.strictSame(answer.json(), { told: 'not asked' })
})

void t.test('an expired token ends the request, on its way to Express as well', async (t) => {
  const server = await start(t, 'parse')
  await server.models.get('AccessToken').create({ id: 'old', userId: 7, ttl: 1, created: new Date(0) })
  t.equal((await server.inject({ url: '/who', headers: { authorization: 'old' } })).statusCode, 401)
})
