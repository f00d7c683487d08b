import { memory } from '@modelwire/connector-memory'
import { modelwire, type OperationContext } from '@modelwire/core'
import { rest, type RestOptions } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { ExpressRequest, ExpressResponse } from '#src/express/express-objects.ts'
import { loopbackExpress } from '#src/express/plugin.ts'

type Method = (req: ExpressRequest & { next: () => void }, res: ExpressResponse) => unknown

const source = (name: string) => ({ arg: name, type: 'object', http: { source: name } })

async function serve(
  t: Test,
  run: Method,
  options: RestOptions = {},
  prepare: (app: FastifyInstance) => void = () => {}
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const methods = { run: { accepts: [source('req'), source('res')], returns: { arg: 'data', root: true }, http: {} } }
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Tool', base: 'Model', public: true, methods }]
  })
  Object.assign(app.models.get('Tool'), { run })
  prepare(app)
  // The order does not matter: routes ask when they are called.
  await app.register(rest, { prefix: '/api', ...options })
  await app.register(loopbackExpress)
  return app
}

const ask = (app: FastifyInstance, query = '') =>
  app.inject({ method: 'POST', url: `/api/Tools/run${query}`, payload: { a: 1 }, headers: { 'x-head': 'h' } })

t.test('methods read requests as scripts of Express do', async (t) => {
  const app = await serve(t, (req) => {
    const { query, body, path, originalUrl, baseUrl, ip, protocol, secure, hostname, xhr } = req
    const heads = [req.get('X-Head'), req.header('x-head'), req.get('Referrer') ?? null]
    return { query, body, path, originalUrl, baseUrl, ip, protocol, secure, hostname, xhr, heads }
  })
  const answer = await ask(app, '?filter[where][a]=1&list=x&list=y')
  t.same(answer.json(), {
    query: { filter: { where: { a: '1' } }, list: ['x', 'y'] },
    body: { a: 1 },
    path: '/api/Tools/run',
    originalUrl: '/api/Tools/run?filter[where][a]=1&list=x&list=y',
    baseUrl: '',
    ip: '127.0.0.1',
    protocol: 'http',
    secure: false,
    hostname: 'localhost',
    xhr: false,
    heads: ['h', 'h', null]
  })
})

t.test('methods answer by the response, and nothing answers again', async (t) => {
  const app = await serve(t, (_req, res) => {
    res.status(202).set({ 'x-one': '1' }).location('/there').vary('Origin').json({ done: true })
    return { second: true }
  })
  const answer = await ask(app)
  t.equal(answer.statusCode, 202)
  t.equal(answer.body, '{"done":true}')
  t.match(answer.headers, { 'x-one': '1', location: '/there', vary: 'Origin' })
})

t.test('hooks and arguments see one request and one response', async (t) => {
  const prepare = (app: FastifyInstance): void => {
    app.models.remoteHooks.add('before', 'Tool.run', async ({ req, res }: OperationContext) => {
      Object.assign(Object(req), { mark: 'hook' })
      Object.assign(Object(Reflect.get(Object(res), 'locals')), { seen: true })
    })
  }
  const app = await serve(t, (req, res) => ({ mark: Reflect.get(req, 'mark'), ...res.locals }), {}, prepare)
  t.same((await ask(app)).json(), { mark: 'hook', seen: true })
})

t.test('req.next without an error is a 404', async (t) => {
  const app = await serve(t, (req) => {
    req.next()
    return 'x'
  })
  const answer = await ask(app)
  t.equal(answer.statusCode, 404)
  t.equal(answer.json().error.code, 'ROUTE_NOT_FOUND')
})

t.test('the handler of errors of the API gets both as well', async (t) => {
  const handler: NonNullable<NonNullable<RestOptions['errors']>['handler']> = (error, req, res, next) => {
    const response = res as ExpressResponse // the plugin makes it one
    const request = req as ExpressRequest // likewise
    if (request.query['pass'] === undefined) response.status(418).send(String(error))
    else next()
  }
  const fail = (): never => {
    throw new Error('broken')
  }
  const app = await serve(t, fail, { errors: { handler, log: false } })
  const own = await ask(app)
  t.equal(own.statusCode, 418)
  t.equal(own.body, 'Error: broken')
  t.equal((await ask(app, '?pass=1')).statusCode, 500)
})

t.test('it is refused without modelwire', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(async () => app.register(loopbackExpress), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
