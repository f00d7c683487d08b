import t from 'tap'
import type { BootContext, BootExtension } from '#src/extension.ts'
import { bootApp, notesOf, refusal } from './make-app.ts'

void t.test('extensions run at their places', async (t) => {
  const log: string[] = []
  const step = (name: string) => (context: BootContext) => {
    log.push(`${name}: ${'Thing' in context.registry}, ${context.app.get('script') === true}`)
  }
  const extension: BootExtension = {
    name: 'own',
    beforeModels: step('models'),
    beforeScripts: step('scripts'),
    beforeRest: step('rest'),
    beforeRoutes: step('routes'),
    afterRest: step('after')
  }
  await bootApp(
    t,
    { 'server/boot/a.js': 'module.exports = app => { app.set("script", true) }' },
    { extensions: [extension] }
  )
  t.strictSame(log, [
    'models: false, false',
    'scripts: true, false',
    'rest: true, true',
    'routes: true, true',
    'after: true, true'
  ])
})

void t.test('extensions see the middleware that they honour', async (t) => {
  let params: unknown
  const users: BootExtension = {
    name: 'users',
    middleware: ['loopback#token'],
    beforeModels: ({ middleware, version, settings, add }) => {
      params = middleware.find(({ name }) => name === 'loopback#token')?.params
      add('info', { file: 'own' }, `version ${version}, ${String(settings.get('restApiRoot'))}`)
    }
  }
  const files = {
    'server/middleware.json': {
      auth: { 'loopback#token': { params: { currentUserLiteral: 'me' } } },
      routes: { 'loopback#rest': { paths: ['/api'] } }
    }
  }
  const server = await bootApp(t, files, { extensions: [users] })
  t.strictSame(params, { currentUserLiteral: 'me' })
  t.strictSame(notesOf(server), ['own: version 3, /api'])
})

void t.test('the server is not available before the application boots', async (t) => {
  const early: BootExtension = { name: 'early', beforeModels: ({ server }) => void server }
  const script = `
    var loopback = require('loopback')
    var app = module.exports = loopback()
    app.models()
    require('loopback-boot')(app, __dirname)`
  t.match(await refusal(t, { 'server/server.js': script }, { extensions: [early] }), { code: 'NOT_BOOTED' })
})
