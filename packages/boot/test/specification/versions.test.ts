import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, notesOf, refusal, usualFiles } from '../make-app.ts'

const remoting = (value: object) => ({ 'server/config.json': { restApiRoot: '/api', remoting: value } })

/** A model script with one more line, and the API path of its model. */
const script = (body: string) => ({ 'common/models/thing.js': `module.exports = function (Thing) {\n${body}\n}\n` })
const start = (t: Test, version: 2 | 3, files: object): Promise<FastifyInstance> =>
  bootApp(t, { ...files }, { version })

async function ask(app: FastifyInstance, url: string): Promise<unknown> {
  return (await app.inject(`/api/Things${url}`)).json<unknown>()
}

void t.test('version 3: requests fail as long as remoting.context is set', async (t) => {
  const app = await start(t, 3, remoting({ context: true, cors: false }))
  // LB3: answers the first request 500 and those after it 404; here each one says why, _better_.
  for (const time of [1, 2]) t.equal((await app.inject('/api/Things')).statusCode, 500, `request ${time}`)
  const debug = { 'final:after': { 'strong-error-handler': { params: { debug: true, log: false } } } }
  const usual = usualFiles['server/middleware.json'] as object // it is one
  const leaving = remoting({ context: true, rest: { handleErrors: false } })
  const told = await start(t, 3, { ...leaving, 'server/middleware.json': { ...usual, ...debug } })
  t.match(await ask(told, ''), { error: { message: /removed the setting remoting\.context/, code: 'SETTING_REMOVED' } })
  t.match(notesOf(app).join('\n'), /remoting\.context.*removed/)
  const without = await start(t, 3, remoting({ context: false, cors: false }))
  t.equal((await without.inject('/api/Things')).statusCode, 200)
})

const contextMethod = script(`
  Thing.seen = function (cb) {
    const { getCurrentContext } = Thing.app.loopback
    cb(null, getCurrentContext === undefined ? 'none' : getCurrentContext() === null ? 'null' : 'there')
  }
  Thing.remoteMethod('seen', { http: { verb: 'get', path: '/seen' }, returns: { arg: 'context', type: 'string' } })`)

void t.test('the current context exists in version 2 alone', async (t) => {
  t.same(await ask(await start(t, 2, { ...contextMethod, ...remoting({}) }), '/seen'), { context: 'there' })
  // LB3: the function is there, and its call says that it was removed.
  t.match(await ask(await start(t, 3, contextMethod), '/seen'), { error: { statusCode: 500 } })
})

const staticFlag = script(`
  Thing.prototype.shout = function (cb) { cb(null, this.label + '!') }
  Thing.remoteMethod('shout', {
    isStatic: false, http: { verb: 'get', path: '/shout' }, returns: { arg: 'text', type: 'string' }
  })`)

void t.test('isStatic marks methods of records in version 2, and the report of version 3 tells of it', async (t) => {
  const second = await start(t, 2, staticFlag)
  await second.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
  t.same(await ask(second, '/1/shout'), { text: 'a!' })
  const third = await start(t, 3, staticFlag)
  t.match(notesOf(third).join('\n'), /shout: isStatic/)
})

const creating = script(`
  Thing.made = function (cb) {
    const returned = Thing.create({ label: 'x' }, (error) => {
      const promise = Thing.create({ label: 'y' })
      cb(error, [returned === undefined ? 'nothing' : returned.label, typeof promise.then])
    })
  }
  Thing.remoteMethod('made', { http: { verb: 'get', path: '/made' }, returns: { arg: 'made', type: ['string'] } })`)

void t.test(
  'create() with a callback returns the record in version 2 and nothing in version 3; without one a promise',
  async (t) => {
    t.same(await ask(await start(t, 2, creating), '/made'), { made: ['x', 'function'] })
    t.same(await ask(await start(t, 3, creating), '/made'), { made: ['nothing', 'function'] })
  }
)

void t.test('CORS is on in version 2 and off in version 3', async (t) => {
  for (const [version, expected] of [
    [2, 'http://a.example'],
    [3, undefined]
  ] as const) {
    const app = await start(t, version, version === 2 ? remoting({}) : {})
    const answer = await app.inject({ url: '/api/Things', headers: { origin: 'http://a.example' } })
    t.equal(answer.headers['access-control-allow-origin'], expected, `version ${version}`)
  }
})

const middleware = (name: string) => ({
  'server/middleware.json': { ...(usualFiles['server/middleware.json'] as object), initial: { [name]: {} } }
})

// loopback#favicon is in the applications that generators of version 3 made, and starts in both.
const getters =
  'compress cookieParser cookieSession csrf directory errorHandler logger methodOverride responseTime session timeout vhost'

void t.test('the framework object of version 2 has the middleware of the packages', async (t) => {
  const session = `exports = module.exports = () => (request, response, next) => { response.setHeader('x-session', '1'); next() }
    exports.MemoryStore = class {}`
  const files = {
    'server/node_modules/express-session/index.js': session,
    ...script(`
      const { app } = Thing
      app.middleware('initial', app.loopback.session())
      Thing.kinds = async names => names.map(name => typeof app.loopback[name])
      Thing.remoteMethod('kinds', { accepts: { arg: 'names', type: ['string'] }, returns: { root: true, type: ['string'] }, http: { verb: 'get' } })
      Thing.store = async () => typeof app.loopback.session.MemoryStore
      Thing.remoteMethod('store', { returns: { root: true, type: 'string' }, http: { verb: 'get' } })
      Thing.missing = async () => app.loopback.compress()
      Thing.remoteMethod('missing', { http: { verb: 'get' } })`)
  }
  const names = [...getters.split(' '), 'favicon']
  const asked = `/kinds?names=${encodeURIComponent(JSON.stringify(names))}`
  const app = await start(t, 2, { ...files, 'server/config.json': { restApiRoot: '/api' } })
  t.same(await ask(app, asked), names.fill('function'))
  t.same(await ask(app, '/store'), 'function')
  t.equal((await app.inject('/api/Things')).headers['x-session'], '1')
  t.match(await ask(app, '/missing'), { error: { code: 'MIDDLEWARE_UNKNOWN', message: /npm install compression/ } })
})

void t.test('the middleware getters of version 2 are removed in version 3', async (t) => {
  for (const name of getters.split(' ')) {
    const { code, file } = await refusal(t, middleware(`loopback#${name}`), { version: 3 })
    t.same([code, file], ['MIDDLEWARE_REMOVED', 'server/middleware.json'], name)
    await start(t, 2, middleware(`loopback#${name}`))
  }
  for (const version of [2, 3] as const) await start(t, version, middleware('loopback#favicon'))
  // LB3: these two are still properties of the framework object.
  const kept = ['favicon', 'errorHandler']
  const lists = script(`
    Thing.kinds = async () => '${getters} favicon'.split(' ').filter(name => Thing.app.loopback[name] !== undefined)
    Thing.remoteMethod('kinds', { returns: { root: true, type: ['string'] }, http: { verb: 'get' } })`)
  t.same(((await ask(await start(t, 3, lists), '/kinds')) as string[]).toSorted(), kept.toSorted())
})
