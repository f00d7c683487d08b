import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeApp } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

t.test('neither secrets nor headers nor what is in a URL get into the log', async (t) => {
  const lines: string[] = []
  const receiver = await startReceiver(t, () => 500)
  const { app } = await makeApp(t, { disableAfter: 0.01 }, { logs: (line) => lines.push(line) })
  const headers = { user: '9' }
  const payload = { url: `${receiver.url}?token=tokenInUrl`, headers: { authorization: 'Bearer tokenInHeader' } }
  const made = await app.inject({ method: 'POST', url: '/api/WebhookEndpoints', headers, payload })
  t.equal(made.statusCode, 200)
  const { id, secret } = made.json()
  const rotated = await app.inject({ method: 'POST', url: `/api/WebhookEndpoints/${id}/rotateSecret`, headers })
  await app.models.get('Note').create({ id: 1, text: 'textOfNote' })
  await until(() => lines.some((line) => line.includes('is disabled')), 'the endpoint to be disabled')
  t.equal(receiver.arrived[0]?.headers['authorization'], 'Bearer tokenInHeader')
  t.match(receiver.arrived[0]?.path, /tokenInUrl/)
  const all = lines.join('')
  t.match(all, id, 'the endpoint is named')
  for (const text of [secret, rotated.json().secret, 'tokenInUrl', 'tokenInHeader', 'textOfNote']) {
    t.ok(text)
    t.notOk(all.includes(text), text)
  }
})

t.test('clients read neither secrets nor headers, nor filter by them', async (t) => {
  const { app } = await makeApp(t)
  const headers = { user: '9' }
  const { endpoint } = await app.webhooks.createEndpoint({
    url: 'https://hooks.example/',
    headers: { authorization: 'Bearer x' }
  })
  const one = `/api/WebhookEndpoints/${String(endpoint.getId())}`
  const patched = await app.inject({ method: 'PATCH', url: one, headers, payload: { description: 'changed' } })
  const fields = encodeURIComponent(JSON.stringify({ fields: ['secret', 'headers', 'previousSecret'] }))
  for (const answer of [
    patched,
    await app.inject({ url: one, headers }),
    await app.inject({ url: `${one}?filter=${fields}`, headers })
  ]) {
    t.equal(answer.statusCode, 200, answer.body)
    for (const name of ['secret', 'previousSecret', 'headers']) t.notOk(name in answer.json(), name)
  }
  for (const name of ['secret', 'previousSecret', 'headers']) {
    const filter = encodeURIComponent(JSON.stringify({ where: { [name]: { like: 'whsec_A%' } } }))
    const answer = await app.inject({ url: `/api/WebhookEndpoints?filter=${filter}`, headers })
    t.match(answer.json(), { error: { code: 'HIDDEN_PROPERTY_IN_FILTER' } })
  }
})

t.test('a condition does not name hidden properties, nor related records', async (t) => {
  const { app } = await makeApp(
    t,
    {},
    {
      models: [
        {
          name: 'Note',
          public: true,
          properties: { id: { type: 'number', id: true, generated: false }, secret: 'string' },
          hidden: ['secret'],
          relations: { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } },
          acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
        }
      ]
    }
  )
  const url = 'https://hooks.example/'
  for (const condition of [{ secret: 'x' }, { or: [{ id: 1 }, { secret: { like: 'x%' } }] }])
    await t.rejects(app.webhooks.createEndpoint({ url, condition }), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
  await t.rejects(app.webhooks.createEndpoint({ url, condition: { 'user.id': 1 } }), {
    code: 'WEBHOOK_ENDPOINT_INVALID'
  })
  await t.rejects(app.webhooks.createEndpoint({ url, condition: { id: { $ne: 1 } } }), {
    code: 'OPERATOR_NOT_ALLOWED_IN_QUERY'
  })
})
