import t from 'tap'
import { bootApp } from '../make-app.ts'
import { answersAsLoopback, filesOf } from './answers.ts'

const script = `module.exports = (Tag) => {
  const fail = {
    error: () => new Error('told'), plain: () => ({ message: 'told' }), own: () => Object.assign(new Error('told'), { status: 410 }),
    ok: () => Object.assign(new Error('told'), { statusCode: 200 }),
    text: () => 'told', list: () => [new Error('told')]
  }
  const accepts = [{ arg: 'req', type: 'object', http: { source: 'req' } }, { arg: 'kind', type: 'string' }, { arg: 'code', type: 'number' }]
  Tag.back = (req, kind, code, cb) => { req.res.status(code); cb(fail[kind]()) }
  Tag.reject = async (req, kind, code) => { req.res.statusCode = code; throw fail[kind]() }
  Tag.hooked = (req, kind, code, cb) => cb()
  Tag.beforeRemote('hooked', (ctx, _, next) => { ctx.res.status(ctx.args.code); next(fail[ctx.args.kind]()) })
  for (const name of ['back', 'reject', 'hooked']) Tag.remoteMethod(name, { accepts, http: { verb: 'get' } })
}`

const told = (statusCode: number) => ({ error: { statusCode, name: 'Error', message: 'told' } })
const internal = { error: { statusCode: 500, message: 'Internal Server Error' } }

t.test('a status that a script sets on the response before it fails is kept', async (t) => {
  const exchanges = ['back', 'reject', 'hooked'].flatMap((method) => [
    [`GET /Tags/${method}?kind=error&code=404`, 404, told(404)] as const,
    [`GET /Tags/${method}?kind=plain&code=409`, 409, { error: { statusCode: 409, message: 'told' } }] as const,
    [
      `GET /Tags/${method}?kind=error&code=503`,
      503,
      { error: { statusCode: 503, message: 'Service Unavailable' } }
    ] as const,
    [`GET /Tags/${method}?kind=error&code=201`, 500, internal] as const,
    [`GET /Tags/${method}?kind=own&code=404`, 410, told(410)] as const,
    [`GET /Tags/${method}?kind=ok&code=404`, 500, internal] as const,
    [`GET /Tags/${method}?kind=text&code=404`, 500] as const,
    [`GET /Tags/${method}?kind=list&code=404`, 500] as const
  ])
  await answersAsLoopback(t, { Tag: { script } }, exchanges)
})

t.test('so is that of middleware', async (t) => {
  const middleware = `module.exports = () => (req, res, next) => { res.status(402); next(new Error('told')) }`
  const server = await bootApp(t, {
    ...filesOf({ Tag: {} }),
    'server/fail.js': middleware,
    'server/middleware.local.json': { 'routes:before': { './fail': { paths: ['/paid'] } } }
  })
  const { statusCode, body } = await server.inject({ url: '/paid', headers: { accept: 'application/json' } })
  t.equal(statusCode, 402, body)
})

t.test('version 2 does not ask for it', async (t) => {
  const server = await bootApp(t, filesOf({ Tag: { script } }), { version: 2 })
  t.equal((await server.inject('/api/Tags/back?kind=error&code=404')).statusCode, 500)
})
