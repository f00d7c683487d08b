import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import type { Test } from 'tap'

/**
 * Requests with `Idempotency-Key` over a connector: of many at once with one key one is carried out. The models `Ordered` and
 * `IdempotencyKey` are migrated in an empty place.
 * @param attempts how many requests come at once
 */
export async function idempotencyTests(t: Test, connector: Connector, attempts = 100): Promise<void> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: connector },
    models: [{ name: 'Ordered', public: true, properties: { item: 'string' } }]
  })
  await app.register(rest, { prefix: '/api', idempotency: true })
  const types = ['Ordered', 'IdempotencyKey'].map((name) => app.models.typeOf(name))
  await connector.migrate?.(types, { empty: true })
  const send = async (item: string, key: string) => {
    const headers = { 'idempotency-key': key }
    const answer = await app.inject({ method: 'POST', url: '/api/Ordereds', headers, payload: { item } })
    return { status: answer.statusCode, body: answer.body, replayed: answer.headers['idempotency-replayed'] }
  }
  const all = await Promise.all(Array.from({ length: attempts }, () => send('pen', 'one')))
  t.equal(await app.models.get('Ordered').count(), 1)
  const answered = all.filter(({ status }) => status === 200)
  t.equal(new Set(answered.map(({ body }) => body)).size, 1)
  t.equal(answered.filter(({ replayed }) => replayed === undefined).length, 1)
  t.equal(all.length - answered.length, all.filter(({ status }) => status === 409).length)
  const again = await send('pen', 'one')
  t.strictSame(again, { status: 200, body: answered[0]?.body, replayed: 'true' })
  t.equal((await send('ink', 'one')).status, 422)
  t.equal((await send('ink', 'two')).status, 200)
  t.equal(await app.models.get('Ordered').count(), 2)
}
