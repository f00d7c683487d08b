import t from 'tap'
import { makeApp } from '../make-app.ts'

t.test('secrets are not kept for idempotency keys', async (t) => {
  const { app } = await makeApp(t, {}, { idempotency: true })
  const send = async (url: string, key: string, payload: object = {}) => {
    const headers = { user: '9', 'idempotency-key': key }
    return app.inject({ method: 'POST', url: `/api/WebhookEndpoints${url}`, headers, payload })
  }
  const endpoint = { url: 'https://127.0.0.1/hook' }
  const created = await send('', 'create', endpoint)
  t.match(created.json(), { secret: /^whsec_/ })
  const { id, secret } = created.json<{ id: string; secret: string }>()
  t.match((await send('', 'create', endpoint)).json(), { error: { code: 'IDEMPOTENCY_ANSWER_NOT_KEPT' } })
  const rotated = (await send(`/${id}/rotateSecret`, 'rotate')).json<{ secret: string }>()
  t.match((await send(`/${id}/rotateSecret`, 'rotate')).json(), { error: { code: 'IDEMPOTENCY_ANSWER_NOT_KEPT' } })
  const kept = JSON.stringify(await app.models.get('IdempotencyKey').find())
  for (const text of ['whsec_', secret, rotated.secret]) t.notOk(kept.includes(text))
  t.equal(await app.models.get('WebhookEndpoint').count(), 1)
  const tested = await send(`/${id}/test`, 'test')
  t.strictSame((await send(`/${id}/test`, 'test')).json(), tested.json(), 'other answers are')
})
