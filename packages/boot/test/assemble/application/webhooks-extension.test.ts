import type { Webhooks } from '@modelwire/webhooks'
import t from 'tap'
import { bootApp } from '../../make-app.ts'

const component = { '@modelwire/webhooks': { secret: 'a secret of tests alone, 32 characters or more' } }
const enabled = 'module.exports = (app) => { app.enableAuth() }'

t.test('component-config.json switches webhooks on', async (t) => {
  const app = await bootApp(t, {
    'server/component-config.json': component,
    'server/boot/authentication.js': enabled
  })
  t.ok(app.hasPlugin('@modelwire/webhooks'))
  const webhooks = app.getDecorator<Webhooks>('webhooks')
  const { endpoint, secret } = await webhooks.createEndpoint({ url: 'https://hooks.example/' })
  t.match(secret, /^whsec_/)
  t.ok(endpoint.getId())
  t.equal((await app.inject({ url: '/api/WebhookEndpoints' })).statusCode, 401)
})

t.test('without access control endpoints of a folder have no routes', async (t) => {
  const app = await bootApp(t, { 'server/component-config.json': component })
  t.ok(app.hasPlugin('@modelwire/webhooks'))
  t.equal((await app.inject({ url: '/api/WebhookEndpoints' })).statusCode, 404)
})

t.test('a folder without the component has no webhooks; a wrong option ends the start', async (t) => {
  t.notOk((await bootApp(t)).hasPlugin('@modelwire/webhooks'))
  const wrong = { '@modelwire/webhooks': { concurrency: 'much' } }
  await t.rejects(bootApp(t, { 'server/component-config.json': wrong }), { code: 'OPTION_INVALID' })
})
