import t from 'tap'
import fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { boot as bootPlugin } from '#src/plugin.ts'
import { bootApp, type Files, makeFolder, notesOf, usualFiles } from '../../make-app.ts'

const boot = (body: string): Files => ({ 'server/boot/a.js': `module.exports = app => { ${body} }` })

const middleware = (phases: object): Files => ({
  'server/middleware.json': { ...phases, ...Object(usualFiles['server/middleware.json']) }
})

const echo: Files = {
  'common/models/thing.js': `module.exports = Thing => {
    Thing.echo = (ctx, n) => Promise.resolve({ user: ctx.req.user, n, path: ctx.req.path, q: ctx.req.query, body: ctx.req.body })
    Thing.remoteMethod('echo', { accepts: [{ arg: 'ctx', type: 'object', http: { source: 'context' } }, { arg: 'n', type: 'number' }],
      returns: { arg: 'data', root: true }, http: { verb: 'post' } })
  }`
}

async function start(t: Test, body: string, files: Files = {}): Promise<FastifyInstance> {
  return bootApp(t, { ...files, ...boot(body) })
}

void t.test('handlers of paths answer, with the application as req.app', async (t) => {
  const server = await start(
    t,
    `app.get('/a/:id', (req, res) => res.json({ id: req.params.id, q: req.query, model: req.app.models.Thing.modelName }))
     app.post('/b', (req, res) => res.status(201).send('made'))
     app.all('/c', (req, res) => res.send(req.method))
     app.route('/d').get((req, res) => res.send({ d: 1 })).delete((req, res) => res.sendStatus(202))`
  )
  const first = await server.inject('/a/1?x[y]=%25')
  t.strictSame(first.json(), { id: '1', q: { x: { y: '%' } }, model: 'Thing' })
  t.match(first.headers['content-type'], /^application\/json/)
  const made = await server.inject({ method: 'POST', url: '/b' })
  t.strictSame([made.statusCode, made.body], [201, 'made'])
  t.equal((await server.inject({ method: 'PUT', url: '/c' })).body, 'PUT')
  t.strictSame((await server.inject('/d')).json(), { d: 1 })
  t.equal((await server.inject({ method: 'DELETE', url: '/d' })).statusCode, 202)
  t.equal((await server.inject({ method: 'OPTIONS', url: '/d' })).statusCode, 404)
})

void t.test('a router may hold handlers of Express and of LoopBack', async (t) => {
  const server = await start(
    t,
    `const router = app.loopback.Router()
     router.param('id', (req, res, next, id) => { req.found = id + '!'; next() })
     router.get('/', app.loopback.status())
     router.get('/x/:id', (req, res) => res.send(req.found))
     app.use('/r', router)`
  )
  t.match((await server.inject('/r')).json(), { started: String })
  t.equal((await server.inject('/r/x/7')).body, '7!')
})

void t.test('phases before routes see requests of the REST API, in order', async (t) => {
  const server = await start(
    t,
    `const note = name => (req, res, next) => { req.user = (req.user || '') + name; next() }
     app.middleware('auth', note('c'))
     app.middleware('initial:after', note('b'))
     app.middleware('initial', ['/api'], note('a'))
     app.defineMiddlewarePhases('own')
     app.middleware('own', note('d'))
     app.middleware('routes:before', note('e'))
     app.middlewareFromConfig(note, { phase: 'parse', methods: ['GET'], params: 'never' })
     app.use(note('f'))
     app.middleware('routes', note('after the REST API'))`,
    echo
  )
  const { statusCode, body } = await server.inject({ method: 'POST', url: '/api/Things/echo', payload: { n: 2 } })
  t.equal(statusCode, 200, body)
  t.match(JSON.parse(body), { user: /^ab[cd]{2}ef$/, n: 2, path: '/api/Things/echo', body: { n: 2 } })
})

void t.test('a body that Express read is read by the REST API as well', async (t) => {
  const server = await start(
    t,
    `app.middleware('parse', app.loopback.json()); app.middleware('parse', app.loopback.urlencoded({ extended: true }))
     app.post('/own', (req, res) => res.json(req.body))`,
    echo
  )
  const payload = { label: 'one' }
  t.match((await server.inject({ method: 'POST', url: '/api/Things', payload })).json(), { label: 'one', id: 1 })
  t.strictSame((await server.inject({ method: 'POST', url: '/own', payload })).json(), payload)
  const form = {
    method: 'POST',
    url: '/api/Things',
    payload: 'label=two',
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  } as const
  t.match((await server.inject(form)).json(), { label: 'two' })
  t.equal((await server.inject({ method: 'POST', url: '/nowhere', payload })).statusCode, 404)
})

void t.test('filters with escaped characters mean what they meant', async (t) => {
  const server = await start(t, 'app.middleware("initial", (req, res, next) => next())')
  await server.inject({ method: 'POST', url: '/api/Things', payload: { label: '100%25' } })
  const where = encodeURIComponent(JSON.stringify({ where: { label: '100%25' } }))
  t.match((await server.inject(`/api/Things?filter=${where}`)).json(), [{ label: '100%25' }])
  t.equal((await server.inject('/api/Things?x=%ff')).statusCode, 200)
})

void t.test('an error of a handler is answered as an error of the REST API is', async (t) => {
  const server = await start(
    t,
    `app.get('/throw', () => { throw new Error('oh') })
     app.get('/next', (req, res, next) => next(Object.assign(new Error('no'), { statusCode: 403, code: 'NO' })))
     app.get('/status', (req, res, next) => { res.status(409); next(new Error('busy')) })
     app.middleware('initial', ['/api'], (req, res, next) => req.query.fail ? next(Object.assign(new Error('stop'), { status: 401 })) : next())`
  )
  t.strictSame((await server.inject('/throw')).json(), { error: { statusCode: 500, message: 'Internal Server Error' } })
  t.match((await server.inject('/next')).json(), { error: { statusCode: 403, message: 'no', code: 'NO' } })
  t.match((await server.inject('/status')).json(), { error: { statusCode: 409, message: 'busy' } })
  t.match((await server.inject('/api/Things?fail=1')).json(), { error: { statusCode: 401, message: 'stop' } })
})

void t.test('handlers of errors and of unknown paths in the last phase', async (t) => {
  const server = await start(
    t,
    `app.get('/throw', () => { throw new Error('oh') })
     app.middleware('final:before', (req, res, next) => req.path === '/own' ? res.status(404).send('mine') : next())
     app.middleware('final', (err, req, res, next) => err.message === 'oh' ? res.status(418).send(err.message) : next(err))`
  )
  const thrown = await server.inject('/throw')
  t.strictSame([thrown.statusCode, thrown.body], [418, 'oh'])
  const own = await server.inject('/own')
  t.strictSame([own.statusCode, own.body], [404, 'mine'])
  t.match((await server.inject('/nowhere')).json(), { error: { statusCode: 404, message: 'Cannot GET /nowhere' } })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.match((await server.inject('/api/Nothing')).json(), { error: { statusCode: 404 } })
})

void t.test('middleware of the file: files and packages with parameters, paths and methods', async (t) => {
  const server = await bootApp(t, {
    ...middleware({
      'initial:before': { './middleware/mark': { params: ['x-one', '1'] } },
      'initial:after': {
        'marker#two': { params: 'x-two', paths: ['/api'], methods: ['GET'] },
        './middleware/off': { enabled: false },
        gone: { optional: true }
      }
    }),
    'server/middleware/mark.js':
      'module.exports = (name, value) => (req, res, next) => { res.setHeader(name, value); next() }',
    'server/node_modules/marker/index.js': 'exports.two = name => (req, res, next) => { res.set(name, "2"); next() }'
  })
  const { headers } = await server.inject('/api/Things')
  t.match(headers, { 'x-one': '1', 'x-two': '2' })
  const made = await server.inject({ method: 'POST', url: '/api/Things', payload: {} })
  t.strictSame([made.headers['x-one'], made.headers['x-two'], made.statusCode], ['1', undefined, 200])
  t.match(server.bootReport.served.middleware, ['./middleware/mark (Express)', 'marker#two (Express)'])
  t.match(notesOf(server), [/not installed/])
})

void t.test('an application without middleware of Express has none', async (t) => {
  const server = await start(t, 'app.get("/health", app.loopback.status())')
  t.notOk(server.hasDecorator('express'))
})

void t.test('parsers of bodies that the file names are for handlers of Express', async (t) => {
  const parse = { 'body-parser#json': {}, 'body-parser#urlencoded': {}, 'body-parser': {} }
  const file = { initial: {}, parse, ...Object(usualFiles['server/middleware.json']) }
  const files = { 'server/middleware.json': file }
  const request = { method: 'POST', url: '/own', payload: { a: 1 } } as const
  const server = await start(t, 'app.post("/own", (req, res) => res.json(req.body))', files)
  t.strictSame((await server.inject(request)).json(), { a: 1 })
  t.match(notesOf(await bootApp(t, files)), [/bodies are parsed/, /bodies are parsed/, /bodies are parsed/])
})

void t.test('handlers of an application below a prefix see paths without it', async (t) => {
  const files =
    boot(`app.get('/own', (req, res) => res.json({ url: req.url, base: req.baseUrl, whole: req.originalUrl }))
    app.middleware('final:before', (req, res, next) => req.path === '/last' ? res.send('last') : next())`)
  const dir = await makeFolder(t, { ...usualFiles, ...files })
  const server = fastify()
  t.teardown(() => server.close())
  await server.register(async (scope) => scope.register(bootPlugin, { dir, variables: {} }), { prefix: '/lb' })
  t.match((await server.inject('/lb/own?a=1')).json(), { url: '/own?a=1', base: '/lb', whole: '/lb/own?a=1' })
  t.equal((await server.inject('/lb/last')).body, 'last')
  t.strictSame((await server.inject('/lb/api/Things')).json(), [])
  t.equal((await server.inject('/own')).statusCode, 404)
})
