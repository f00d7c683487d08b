import t from 'tap'
import { bootApp, type Files } from '../../make-app.ts'

/** An application whose server script does something before it boots. */
const early = (line: string, files: Files = {}): Files => ({
  'server/server.js': `
    const loopback = require('loopback')
    const app = (module.exports = loopback())
    ${line}
    require('loopback-boot')(app, __dirname, (error) => { if (error) throw error })`,
  ...files
})

const stored = { dataSource: 'db', public: true }
const config = (models: object): Files => ({
  'server/model-config.json': { _meta: { sources: ['../common/models'] }, Thing: stored, ...models }
})
const touch = `app.registry.getModel('User')`

void t.test('models of OAuth that are configured are there, though models were asked for before', async (t) => {
  const server = await bootApp(t, early(touch, config({ OAuthClientApplication: { dataSource: 'db', public: false } })))
  t.ok(server.loopback.models['OAuthClientApplication'])
})

void t.test('a model of its own called User is a plain one, though models were asked for before', async (t) => {
  const files = { ...config({ User: stored }), 'common/models/user.json': { name: 'User', properties: {} } }
  const server = await bootApp(t, early(touch, files))
  const payload = { email: 'a@b.c', password: 'secret' }
  t.strictSame((await server.inject({ method: 'POST', url: '/api/Users', payload })).json(), { ...payload, id: 1 })
  t.equal((await server.inject({ method: 'POST', url: '/api/Users/login', payload })).statusCode, 404)
})

void t.test('what a script changes in a built-in model before the boot holds afterwards', async (t) => {
  const line = `
    app.registry.getModel('User').settings.hidden.push('username')
    app.registry.getModel('PersistedModel').observe('before save', async (ctx) => {
      if (ctx.instance) ctx.instance.mark = 'early'
    })`
  const server = await bootApp(t, early(line, config({ User: stored })))
  const payload = { email: 'a@b.c', password: 'secret', username: 'u' }
  const created = await server.inject({ method: 'POST', url: '/api/Users', payload })
  t.strictSame(created.json(), { email: 'a@b.c', id: 1, mark: 'early' })
})

void t.test('models that a script makes before the boot are configured and extended by files', async (t) => {
  const line = `app.registry.createModel('Made', { mark: 'string' }); app.registry.createModel('Thing', { old: 'string' })`
  const server = await bootApp(
    t,
    early(line, { ...config({ Made: stored, Kid: stored }), 'common/models/kid.json': { name: 'Kid', base: 'Made' } })
  )
  for (const url of ['/api/Mades', '/api/Kids', '/api/Things']) {
    const created = await server.inject({ method: 'POST', url, payload: { label: 'x' } })
    t.strictSame(created.json(), { label: 'x', id: 1 }, url)
  }
})

void t.test('app.model makes a built-in model public', async (t) => {
  const line = `app.dataSource('mem', { connector: 'memory' }); app.model(${touch}, { dataSource: 'mem' })`
  const server = await bootApp(t, early(line))
  const payload = { email: 'a@b.c', password: 'secret' }
  t.equal((await server.inject({ method: 'POST', url: '/api/Users', payload })).statusCode, 200)
})
