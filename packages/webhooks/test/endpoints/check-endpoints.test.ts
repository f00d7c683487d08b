import t from 'tap'
import { makeApp } from '../make-app.ts'

const url = 'https://hooks.example/in'

t.test('an endpoint is checked before it is stored', async (t) => {
  const { app } = await makeApp(t)
  const invalid: readonly object[] = [
    { models: ['Nothing'] },
    { models: ['User'] },
    { kinds: ['renamed'] },
    { condition: 'text' },
    { headers: { 'webhook-id': 'x' } },
    { headers: { 'Content-Type': 'text/plain' } },
    { headers: { host: 'x' } },
    { headers: { 'x y': 'z' } },
    { headers: { x: 'a\r\nb: c' } },
    { headers: { x: 1 } },
    { headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x${at}`, 'y'])) },
    { secret: 'none' }
  ]
  for (const data of invalid) {
    const headers = { user: '9' }
    const answer = await app.inject({
      method: 'POST',
      url: '/api/WebhookEndpoints',
      headers,
      payload: { url, ...data }
    })
    t.equal(answer.statusCode, 422, JSON.stringify(data))
  }
  t.equal(await app.models.get('WebhookEndpoint').count(), 0)
  const { endpoint } = await app.webhooks.createEndpoint({
    url,
    headers: { authorization: 'Bearer x' },
    models: ['Note']
  })
  await t.rejects(endpoint.patchAttributes({ models: ['Nothing'] }), { code: 'WEBHOOK_ENDPOINT_INVALID' })
  await t.rejects(endpoint.patchAttributes({ url: 'http://10.0.0.1' }), { code: 'WEBHOOK_ADDRESS_REFUSED' })
  await t.rejects(endpoint.patchAttributes({ condition: { secret: 'x' } }), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
})

t.test('a condition names what messages have', async (t) => {
  const properties = { text: 'string', code: 'number', password: 'string' }
  const closed = { name: 'Note', strict: true, properties, protected: ['code'] }
  const open = { name: 'Memo', properties: { subject: 'string' } }
  const { app } = await makeApp(t, {}, { models: [closed, open], withAcl: false })
  const create = async (models: string[], condition: object) => app.webhooks.createEndpoint({ url, models, condition })
  for (const name of ['tetx', 'code', 'password'])
    await t.rejects(create(['Note'], { or: [{ text: 'a' }, { [name]: 1 }] }), {
      code: 'WEBHOOK_ENDPOINT_INVALID',
      message: `the condition tests "${name}", which messages about these models do not have`
    })
  await create(['Note'], { text: 'a' })
  await create(['Memo'], { undeclared: 1 })
  await create(['Note', 'Memo'], { subject: 'a' })
})

t.test('clients set what is theirs to set', async (t) => {
  const { app } = await makeApp(t)
  const headers = { user: '9' }
  const readOnly = { userId: 1, userModel: 'Other', previousSecret: 'whsec_x', failingSince: new Date(0) }
  const made = await app.inject({ method: 'POST', url: '/api/WebhookEndpoints', headers, payload: { url } })
  t.equal(made.statusCode, 200, made.body)
  const one = `/api/WebhookEndpoints/${made.json().id}`
  for (const [name, value] of Object.entries(readOnly)) {
    const payload = { url, [name]: value }
    const created = await app.inject({ method: 'POST', url: '/api/WebhookEndpoints', headers, payload })
    t.match(created.json(), { error: { statusCode: 422, details: { codes: { [name]: ['read-only'] } } } }, name)
    const patched = await app.inject({ method: 'PATCH', url: one, headers, payload })
    t.match(patched.json(), { error: { statusCode: 422 } }, name)
  }
  const chosen = await app.inject({
    method: 'POST',
    url: '/api/WebhookEndpoints',
    headers,
    payload: { url, id: 'chosen' }
  })
  t.match(chosen.json(), { error: { statusCode: 422, code: 'WEBHOOK_ENDPOINT_INVALID' } })
  await app.inject({ method: 'PATCH', url: one, headers, payload: { description: 'changed' } })
  t.match(await app.models.get('WebhookEndpoint').findOne(), { userId: 9, description: 'changed' })
})

t.test('a client without a user owns no endpoints', async (t) => {
  const { app } = await makeApp(t)
  const { acls = [] } = app.models.typeOf('WebhookEndpoint').definition
  t.ok(acls.length > 0)
  app.access.registerRole('admin', ({ principal }) => principal?.appId === 'app')
  const headers = { client: 'app' }
  const answer = await app.inject({ method: 'POST', url: '/api/WebhookEndpoints', headers, payload: { url } })
  t.match(answer.json(), { error: { statusCode: 403, code: 'WEBHOOK_OWNER_MISSING' } })
  t.equal(await app.models.get('WebhookEndpoint').count(), 0)
})

t.test('several are created at once, each with its secret', async (t) => {
  const { app } = await makeApp(t)
  const headers = { user: '9' }
  const answer = await app.inject({
    method: 'POST',
    url: '/api/WebhookEndpoints',
    headers,
    payload: [{ url }, { url }]
  })
  t.equal(answer.statusCode, 200, answer.body)
  const secrets = answer.json().map(({ secret }: { secret: string }) => secret)
  t.equal(new Set(secrets).size, 2)
  t.match(secrets, [/^whsec_/, /^whsec_/])
})

t.test('without access control endpoints have no routes', async (t) => {
  const { app } = await makeApp(t, {}, { withAcl: false, models: [{ name: 'Note', properties: { text: 'string' } }] })
  for (const path of ['WebhookEndpoints', 'WebhookDeliveries', 'WebhookCursors'])
    t.equal((await app.inject({ url: `/api/${path}` })).statusCode, 404)
})

t.test('cursors have no routes', async (t) => {
  const { app } = await makeApp(t)
  t.equal((await app.inject({ url: '/api/WebhookCursors', headers: { user: '9' } })).statusCode, 404)
})
