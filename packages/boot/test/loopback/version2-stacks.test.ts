import t from 'tap'
import { bootApp, type Files } from '../make-app.ts'
import { filesOf } from './answers.ts'

const script = `module.exports = (Tag) => {
  Tag.fail = (cb) => cb(new Error('kaboom'))
  Tag.remoteMethod('fail', { http: { verb: 'get' } })
}`
const files = (remoting: object, params: object): Files => ({
  ...filesOf({ Tag: { script } }),
  'server/config.json': { restApiRoot: '/api', remoting },
  'server/middleware.json': {
    routes: { 'loopback#rest': { paths: ['/api'] } },
    'final:after': { 'loopback#errorHandler': { params: { log: false, ...params } } }
  }
})

const cases: readonly (readonly [what: string, remoting: object, params: object, env: string, shown: boolean])[] = [
  ['in development', {}, {}, 'development', true],
  ['in production', {}, {}, 'production', false],
  ['in production, whatever remoting says', { errorHandler: { disableStackTrace: false } }, {}, 'production', false],
  ['where errors are left in production', { rest: { handleErrors: false } }, {}, 'production', false],
  ['with disableStackTrace', { errorHandler: { disableStackTrace: true } }, {}, 'development', false],
  ['with includeStack: false', { rest: { handleErrors: false } }, { includeStack: false }, 'development', false],
  ['with another setting of errors', { errorHandler: {} }, { includeStack: false }, 'development', false]
]

for (const [what, remoting, params, env, shown] of cases)
  t.test(`version 2 ${shown ? 'shows' : 'hides'} the stack ${what}`, async (t) => {
    const server = await bootApp(t, files(remoting, params), { version: 2, env })
    const { error } = (await server.inject('/api/Tags/fail')).json()
    t.match(error, { name: 'Error', status: 500, message: 'kaboom' })
    t.equal('stack' in error, shown)
  })

const files3 = (params: object): Files => ({
  ...files({ rest: { handleErrors: false } }, {}),
  'server/middleware.json': {
    routes: { 'loopback#rest': { paths: ['/api'] } },
    'final:after': { 'strong-error-handler': { params: { log: false, ...params } } }
  }
})

t.test('strong-error-handler answers errors that version 2 leaves to it as in version 3', async (t) => {
  const told = async (params: object): Promise<unknown> => {
    const server = await bootApp(t, files3(params), { version: 2 })
    return (await server.inject('/api/Tags/fail')).json()
  }
  t.same(await told({ debug: false }), { error: { statusCode: 500, message: 'Internal Server Error' } })
  t.same(await told({}), { error: { statusCode: 500, message: 'Internal Server Error' } })
  t.match(await told({ debug: true }), {
    error: { statusCode: 500, name: 'Error', message: 'kaboom', stack: /kaboom/ }
  })
})

t.test('NODE_ENV alone hides it, too', async (t) => {
  const { NODE_ENV } = process.env
  t.teardown(() => (NODE_ENV === undefined ? delete process.env['NODE_ENV'] : (process.env['NODE_ENV'] = NODE_ENV)))
  process.env['NODE_ENV'] = 'production'
  const server = await bootApp(t, files({}, {}), { version: 2 })
  t.notOk('stack' in (await server.inject('/api/Tags/fail')).json().error)
})
