import { until } from '@modelwire/test-waits'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { makeApp, quick } from '../make-app.ts'
import { type Arrived, startReceiver } from '../receiver.ts'

const isSignedBy = (secret: string, { body, headers }: Arrived): boolean => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

t.test('a replaced secret signs beside the new one for a time', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t)
  const headers = { user: '9' }
  const { endpoint, secret: before } = await app.webhooks.createEndpoint({ url: receiver.url })
  const id = String(endpoint.getId())
  const rotated = await app.inject({ method: 'POST', url: `/api/WebhookEndpoints/${id}/rotateSecret`, headers })
  t.equal(rotated.statusCode, 200, rotated.body)
  const { secret: after } = rotated.json()
  await app.models.get('Note').create({ id: 1 })
  const [one] = await until(() => receiver.arrived.length === 1 && receiver.arrived, 'a message')
  t.ok(one && isSignedBy(before, one) && isSignedBy(after, one))
  t.equal(one?.headers['webhook-signature']?.split(' ').length, 2)
  await app.models.get('WebhookEndpoint').updateAll({ id }, { previousSecretUntil: new Date(0) })
  await app.models.get('Note').create({ id: 2 })
  const [, two] = await until(() => receiver.arrived.length === 2 && receiver.arrived, 'another message')
  t.ok(two && !isSignedBy(before, two) && isSignedBy(after, two))
  t.equal(
    (await app.inject({ method: 'POST', url: '/api/WebhookEndpoints/none/rotateSecret', headers })).statusCode,
    404
  )
  await t.rejects(app.webhooks.rotateSecret('none'), { code: 'MODEL_NOT_FOUND' })
})

t.test('a secret may be chosen, and is encrypted like others', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t)
  const own = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const { endpoint, secret } = await app.webhooks.createEndpoint({ url: receiver.url, secret: own })
  t.equal(secret, own)
  const stored = await app.models.get('WebhookEndpoint').findById(endpoint.getId())
  t.notOk(String(stored?.['secret']).includes('BwcHBwcH'))
  await app.models.get('Note').create({ id: 1 })
  const [one] = await until(() => receiver.arrived.length === 1 && receiver.arrived, 'a message')
  t.ok(one && isSignedBy(own, one))
  await stored?.patchAttributes({ description: 'changed' })
  await stored?.save()
  await app.models.get('Note').create({ id: 2 })
  const [, two] = await until(() => receiver.arrived.length === 2 && receiver.arrived, 'another message')
  t.ok(two && isSignedBy(own, two), 'a secret that is stored again is the same')
  await t.rejects(app.models.get('WebhookEndpoint').updateAll({}, { secret: null }), {
    code: 'WEBHOOK_ENDPOINT_INVALID'
  })
  for (const wrong of ['secret', 'whsec_short', String(stored?.['secret'])])
    await t.rejects(app.webhooks.createEndpoint({ url: receiver.url, secret: wrong }), {
      code: 'WEBHOOK_ENDPOINT_INVALID'
    })
})

t.test('a message that cannot be signed is not sent', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t)
  const { endpoint } = await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models
    .get('WebhookEndpoint')
    .updateAll({ id: endpoint.getId() }, { secret: quick.secret && `whsec_${Buffer.alloc(32).toString('base64')}` })
  const deliveries = app.models.get('WebhookDelivery')
  // What another key has encrypted stands in the table.
  await app.models.typeOf('WebhookEndpoint').collection?.update(undefined, { secret: 'e30.e30.e30.e30.e30' })
  await app.models.get('Note').create({ id: 1 })
  const dead = await until(async () => deliveries.findOne({ where: { state: 'dead' } }), 'the delivery to be dead')
  t.match(dead['error'], /cannot be decrypted/)
  t.equal(receiver.arrived.length, 0)
})
