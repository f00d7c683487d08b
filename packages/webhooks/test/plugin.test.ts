import { until } from '@modelwire/test-waits'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { makeApp, statesOf } from './make-app.ts'
import { startReceiver } from './receiver.ts'

t.test('an endpoint hears of each change, signed as Standard Webhooks says', async (t) => {
  const receiver = await startReceiver(t)
  const one = await makeApp(t, { concurrencyPerEndpoint: 1 })
  const { endpoint, secret } = await one.app.webhooks.createEndpoint({ url: receiver.url })
  const note = await one.app.models.get('Note').create({ id: 1, text: 'first', secret: 'hidden' })
  await note.patchAttributes({ text: 'second' })
  await note.destroy()
  await until(() => receiver.arrived.length === 3, 'three messages')
  t.match(
    receiver.messages().toSorted((a, b) => a.timestamp.localeCompare(b.timestamp)),
    [
      { type: 'note.created', data: { id: 1, text: 'first' } },
      { type: 'note.updated', data: { id: 1, text: 'second' } },
      { type: 'note.deleted', data: { id: 1 } }
    ]
  )
  t.notOk(receiver.arrived.some(({ body }) => body.includes('hidden')))
  const verifier = new Webhook(secret)
  for (const { body, headers } of receiver.arrived) t.ok(verifier.verify(body, headers))
  const ids = receiver.arrived.map(({ headers }) => headers['webhook-id'] ?? '')
  t.equal(new Set(ids).size, 3)
  t.ok(ids.every((id) => id.startsWith('msg_')))
  await until(async () => (await statesOf(one)).every((state) => state === 'delivered'), 'deliveries to be kept')
  t.equal(await one.app.models.get('WebhookDelivery').count({ endpointId: endpoint.getId() }), 3)
})

t.test('an endpoint over HTTP has a secret that is shown once', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t)
  const headers = { user: '9' }
  const url = '/api/WebhookEndpoints'
  const made = await app.inject({ method: 'POST', url, headers, payload: { url: receiver.url, models: ['Note'] } })
  t.equal(made.statusCode, 200, made.body)
  const { id, secret, userId } = made.json()
  t.match(secret, /^whsec_/)
  t.equal(userId, 9, 'it is of who creates it')
  const read = await app.inject({ url: `${url}/${id}`, headers })
  t.equal(read.statusCode, 200)
  t.notOk('secret' in read.json())
  const list = await app.inject({ url, headers })
  t.notOk(list.body.includes('whsec_'))
  await app.models.get('Note').create({ id: 1, text: 'first' })
  await until(() => receiver.arrived.length === 1, 'a message')
  const [{ body, headers: signed } = { body: '', headers: {} }] = receiver.arrived
  t.ok(new Webhook(secret).verify(body, signed))
  for (const user of [undefined, '1'])
    for (const path of [url, `${url}/${id}`, '/api/WebhookDeliveries'])
      t.equal((await app.inject({ url: path, ...(user === undefined ? {} : { headers: { user } }) })).statusCode, 401)
})

t.test('changes of the models of webhooks cannot be logged: each message would cause another one', async (t) => {
  for (const name of ['WebhookDelivery', 'WebhookEndpoint', 'WebhookCursor'])
    await t.rejects(makeApp(t, { run: false }, { models: [{ name, changeLog: true, properties: {} }] }), {
      code: 'MODEL_DEFINITION_INVALID',
      message: /each message would cause another one/
    })
})
