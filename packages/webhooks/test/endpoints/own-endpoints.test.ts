import type { RowsFunction } from '@modelwire/core'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { webhookModels, type WebhooksOptions } from '#src/index.ts'
import { type App, makeApp, noteModel, rule, type Setting } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

/** A server whose users have endpoints of their own. */
async function open(t: Test, options: WebhooksOptions = {}, note = noteModel, logs?: Setting['logs']): Promise<App> {
  const own = webhookModels({ userId: 'number', isPublic: true })
  const rules = [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW', { rows: '$owner' })]
  const [endpoint, delivery] = own.map((model) => ({ ...model, acls: rules }))
  if (endpoint === undefined || delivery === undefined) throw new Error('no models')
  return makeApp(t, options, { models: [note, endpoint, delivery], logged: ['Note'], ...(logs && { logs }) })
}

t.test('users have endpoints of their own, which hear of what they may read, and see those alone', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await open(t)
  const url = '/api/WebhookEndpoints'
  const [one, two] = [{ user: '1' }, { user: '2' }]
  const made = await app.inject({ method: 'POST', url, headers: one, payload: { url: receiver.url } })
  t.equal(made.statusCode, 200, made.body)
  const { id, secret, userId } = made.json()
  t.match(secret, /^whsec_/)
  t.equal(userId, 1)
  const notes = app.models.get('Note')
  await notes.create([
    { id: 1, userId: 1, text: 'of one' },
    { id: 2, userId: 2, text: 'of two' }
  ])
  await until(() => receiver.arrived.length === 1, 'a message')
  t.strictSame(receiver.messages()[0]?.data, { id: 1, userId: 1, text: 'of one' })
  const list = async (path: string, headers: object): Promise<number> =>
    (await app.inject({ url: path, headers: { ...headers } })).json().length
  for (const path of [url, '/api/WebhookDeliveries']) {
    t.equal(await list(path, one), 1, path)
    t.equal(await list(path, two), 0, path)
  }
  const calls = [
    { method: 'GET', url: `${url}/${id}` },
    { method: 'PATCH', url: `${url}/${id}`, payload: { url: 'https://hooks.example/' } },
    { method: 'DELETE', url: `${url}/${id}` },
    { method: 'POST', url: `${url}/${id}/test` },
    { method: 'POST', url: `${url}/${id}/rotateSecret` },
    { method: 'POST', url: `/api/WebhookDeliveries/${receiver.arrived[0]?.headers['webhook-id']}/retry` }
  ] as const
  for (const call of calls) t.equal((await app.inject({ ...call, headers: two })).statusCode, 401, call.url)
  for (const other of [2, null])
    t.equal(
      (await app.inject({ method: 'POST', url, headers: one, payload: { url: receiver.url, userId: other } }))
        .statusCode,
      422
    )
  t.equal((await app.inject({ method: 'POST', url, payload: { url: receiver.url } })).statusCode, 401)
})

t.test('an endpoint that a user makes below another record is that of the model of the user, too', async (t) => {
  const endpoints = { type: 'hasMany', model: 'WebhookEndpoint', foreignKey: 'description' } as const
  const properties = { id: { type: 'string', id: true, generated: false } } as const
  const shop = { name: 'Shop', public: true, properties, relations: { endpoints } }
  const own = webhookModels({ userId: 'number', isPublic: true })
  const opened = own.map((model) => ({ ...model, acls: [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW')] }))
  const { app } = await makeApp(t, {}, { models: [...opened, shop], logged: ['Shop'] })
  await app.models.get('Shop').create({ id: '1' })
  const headers = { user: '1', model: 'User' }
  const payload = { url: (await startReceiver(t)).url }
  const direct = await app.inject({ method: 'POST', url: '/api/WebhookEndpoints', headers, payload })
  const below = await app.inject({ method: 'POST', url: '/api/Shops/1/endpoints', headers, payload })
  for (const [name, { statusCode, body }] of Object.entries({ direct, below })) {
    t.equal(statusCode, 200, `${name} ${body}`)
    t.match(await app.models.get('WebhookEndpoint').findById(JSON.parse(body).id), { userId: 1, userModel: 'User' })
  }
  const chosen = { ...payload, userModel: 'Staff' }
  t.equal(
    (await app.inject({ method: 'POST', url: '/api/Shops/1/endpoints', headers, payload: chosen })).statusCode,
    422
  )
})

t.test('receivers that do not answer do not hold up the messages to others', async (t) => {
  const { app } = await open(t, { timeout: 60 })
  const [silent, quick] = [await startReceiver(t, () => () => {}), await startReceiver(t)]
  const notes = app.models.get('Note')
  await app.webhooks.createEndpoint({ url: quick.url, userId: 2 })
  await notes.create({ id: 1, userId: 2 })
  await until(() => quick.arrived.length === 1, 'the first message')
  for (let at = 0; at < 10; at++) await app.webhooks.createEndpoint({ url: silent.url, userId: 1 })
  await notes.create(Array.from({ length: 10 }, (_, at) => ({ id: at + 2, userId: 1 })))
  await until(() => silent.arrived.length >= 10, 'messages to silent receivers')
  await notes.create({ id: 100, userId: 2 })
  await until(() => quick.arrived.length === 2, 'the second message')
  t.equal(silent.arrived.length, 10)
})

t.test('a rule that fails for one user does not hold up the messages to others', async (t) => {
  const rows: RowsFunction = ({ userId }) => ({ userId: userId === 1 ? undefined : userId })
  const acls = [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW', { rows })]
  const { app } = await open(t, {}, { ...noteModel, acls })
  const receiver = await startReceiver(t)
  for (const userId of [1, 2]) await app.webhooks.createEndpoint({ url: receiver.url, userId })
  await app.models.get('Note').create({ id: 1, userId: 2 })
  await until(() => receiver.arrived.length === 1, 'the message to the other')
})

t.test('a user may have at most so many endpoints', async (t) => {
  const lines: string[] = []
  const { app } = await open(t, { endpointsPerUser: 2 }, noteModel, (text) => lines.push(text))
  const receiver = await startReceiver(t)
  const create = (count: number, user: string) =>
    app.inject({
      method: 'POST',
      url: '/api/WebhookEndpoints',
      headers: { user },
      payload: Array.from({ length: count }, () => ({ url: receiver.url }))
    })
  t.match((await create(3, '1')).json(), { error: { statusCode: 422, code: 'WEBHOOK_ENDPOINTS_TOO_MANY' } })
  t.equal((await create(2, '1')).statusCode, 200)
  t.equal((await create(1, '1')).statusCode, 422)
  t.equal((await create(1, '2')).statusCode, 200, 'another user')
  // As if they had come at the same time.
  await app.models.get('WebhookEndpoint').create({ url: receiver.url, userId: 1 })
  await app.models.get('Note').create([
    { id: 1, userId: 1 },
    { id: 2, userId: 2 }
  ])
  await until(() => receiver.arrived.length >= 3, 'the messages')
  t.equal(await app.models.get('WebhookDelivery').count(), 3)
  await app.models.get('Note').create({ id: 3, userId: 1 })
  await until(() => receiver.arrived.length >= 5, 'the messages of another round')
  const warnings = lines.filter((line) => line.includes('more than 2 endpoints: the others receive nothing'))
  t.equal(warnings.length, 1)
  t.match(warnings[0], /"userId":1/)
})

t.test('a caller may ask for so many messages in a minute', async (t) => {
  const { app } = await open(t, { callsPerMinute: 2, run: false })
  const endpoint = async (userId: number) =>
    String((await app.models.get('WebhookEndpoint').create({ url: 'https://hooks.example/', userId })).getId())
  const call = (path: string, user: string) => app.inject({ method: 'POST', url: `/api/${path}`, headers: { user } })
  const [one, two] = [await endpoint(1), await endpoint(2)]
  const sent = await call(`WebhookEndpoints/${one}/test`, '1')
  t.equal(sent.statusCode, 200, sent.body)
  const retry = `WebhookDeliveries/${sent.json().deliveryId}/retry`
  t.equal((await call(retry, '1')).statusCode, 409, 'it is still being sent')
  for (const path of [retry, `WebhookEndpoints/${one}/test`]) {
    const refused = await call(path, '1')
    t.match(refused.json(), { error: { statusCode: 429, code: 'WEBHOOK_CALLS_TOO_MANY' } })
    t.match(refused.headers['retry-after'], /^(?:60|59)$/)
  }
  t.equal((await call(`WebhookEndpoints/${two}/test`, '2')).statusCode, 200, 'another caller')
})
