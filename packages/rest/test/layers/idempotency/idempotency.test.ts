import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type TypedDefinition } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const note = defineModel('Note', Type.Object({ text: Type.String({ minLength: 2 }) }), {
  public: true,
  optimisticLocking: { requireIfMatch: true }
})

interface Wanted {
  readonly options?: RestOptions['idempotency']
  /** Runs before each note is stored. */
  readonly beforeSave?: () => Promise<void>
}

async function start(t: Test, { options = true, beforeSave }: Wanted = {}): Promise<FastifyInstance> {
  const app = Fastify({ logger: false })
  t.teardown(() => app.close())
  const models: TypedDefinition[] = [note]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  // Callers are named by a header here.
  app.addHook('preParsing', async (request) => {
    const { caller } = request.headers
    if (typeof caller === 'string') request.principal = { userId: caller }
  })
  if (beforeSave !== undefined) app.models.get('Note').observe('before save', beforeSave)
  await app.register(rest, { prefix: '/api', idempotency: options })
  return app
}

async function send(app: FastifyInstance, key: string | undefined, payload: object, more: InjectOptions = {}) {
  const headers = { ...(key === undefined ? {} : { 'idempotency-key': key }), ...more.headers }
  const answer = await app.inject({ method: 'POST', url: '/api/Notes', payload, ...more, headers })
  const code = /"code":"(\w+)"/.exec(answer.body)?.[1]
  return { status: answer.statusCode, code, body: answer.body, headers: answer.headers }
}

const countOf = (app: FastifyInstance): Promise<number> => app.models.get('Note').count()

void t.test('a request with a key is carried out once, and its answer given again', async (t) => {
  const app = await start(t)
  const first = await send(app, 'k', { text: 'one' })
  const again = await send(app, '"k"', { text: 'one' })
  t.equal(await countOf(app), 1)
  t.equal(first.headers['idempotency-replayed'], undefined)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.strictSame([again.status, again.body], [first.status, first.body])
  t.equal(again.headers['content-type'], first.headers['content-type'])
  t.equal(again.headers['etag'], first.headers['etag'])
  await send(app, undefined, { text: 'one' })
  t.equal(await countOf(app), 2, 'without a key each request counts')
})

void t.test('a refused request is refused in the same way again', async (t) => {
  const app = await start(t)
  const first = await send(app, 'k', { text: 'x' })
  t.equal(first.status, 422)
  t.strictSame((await send(app, 'k', { text: 'x' })).body, first.body)
  t.match(await send(app, 'k', { text: 'other' }), { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
  t.equal(await countOf(app), 0)
})

void t.test('a change is carried out once, though the version that it names is gone then', async (t) => {
  const app = await start(t)
  const { headers } = await send(app, undefined, { text: 'one' })
  const change = { method: 'PATCH', url: '/api/Notes/1', headers: { 'if-match': String(headers['etag']) } } as const
  const changed = await send(app, 'k', { text: 'two' }, change)
  const again = await send(app, 'k', { text: 'two' }, change)
  t.strictSame([changed.status, again.status, again.body], [200, 200, changed.body])
  t.equal((await send(app, 'k2', { text: 'two' }, change)).status, 412)
})

void t.test('keys of callers are apart', async (t) => {
  const app = await start(t)
  const ann = await send(app, 'k', { text: 'of ann' }, { headers: { caller: 'ann' } })
  const bob = await send(app, 'k', { text: 'of bob' }, { headers: { caller: 'bob' } })
  t.strictSame([ann.status, bob.status], [200, 200])
  t.match(bob.body, 'of bob')
  const none = await send(app, 'k', { text: 'of ann' })
  t.equal(none.headers['idempotency-replayed'], undefined)
})

void t.test('while a request runs its key is in use, and free once it failed by accident', async (t) => {
  let begun: (value?: unknown) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const running = new Promise((resolve) => (begun = resolve))
  const end = new Promise<void>((_, reject) => (fail = reject))
  let calls = 0
  const app = await start(t, {
    beforeSave: async () => {
      if (++calls > 1) return
      begun()
      await end
    }
  })
  const first = send(app, 'k', { text: 'one' })
  await running
  t.match(await send(app, 'k', { text: 'one' }), { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
  fail(new Error('a fault'))
  t.equal((await first).status, 500)
  t.equal((await send(app, 'k', { text: 'one' })).status, 200)
  t.equal(await countOf(app), 1)
})

void t.test('a key that has expired may be used again', async (t) => {
  const app = await start(t)
  await send(app, 'k', { text: 'one' })
  await app.models.get('IdempotencyKey').updateAll({}, { expiresAt: new Date(Date.now() - 1) })
  t.equal((await send(app, 'k', { text: 'two' })).status, 200)
  t.equal(await countOf(app), 2)
})

void t.test('keys have a form; without the option they are not read', async (t) => {
  const app = await start(t)
  for (const key of ['', 'with blank', 'x'.repeat(256)])
    t.match(await send(app, key, { text: 'one' }), { status: 400, code: 'INVALID_ARGUMENT' }, key)
  const without = await start(t, { options: false })
  await send(without, 'k', { text: 'one' })
  await send(without, 'k', { text: 'one' })
  t.equal(await countOf(without), 2)
  t.equal(without.models.find('IdempotencyKey'), undefined)
})
