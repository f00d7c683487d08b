import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const note = defineModel('Note', Type.Object({ text: Type.String({ minLength: 2 }) }), {
  public: true,
  optimisticLocking: true
})
const tag = defineModel('Tag', Type.Object({ name: Type.String(), noteId: Type.Optional(Type.Number()) }), {
  public: true
})
const elsewhere = defineModel('Elsewhere', Type.Object({ name: Type.String() }), { public: true, dataSource: 'other' })

interface Wanted {
  readonly options?: RestOptions
  readonly server?: FastifyServerOptions
}

async function start(t: Test, { options = { batch: true }, server = {} }: Wanted = {}): Promise<FastifyInstance> {
  const app = Fastify(server)
  t.teardown(() => app.close())
  const dataSources = { db: memory({ transactions: true }), other: memory({ transactions: true }) }
  await app.register(modelwire, {
    dataSources,
    models: [
      { ...note, dataSource: 'db' },
      { ...tag, dataSource: 'db' },
      elsewhere,
      {
        name: 'Greeter',
        public: true,
        base: 'Model',
        methods: { hello: { http: { verb: 'get' }, returns: { arg: 'text', type: 'string' } } }
      }
    ]
  })
  await app.register(rest, { prefix: '/api', ...options })
  return app
}

interface Answered {
  readonly id: string
  readonly status: number
  readonly headers: Record<string, string>
  readonly body?: Record<string, unknown> & { error?: { code?: string; message?: string } }
}

async function send(app: FastifyInstance, payload: object, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'POST', url: '/api/batch', payload, headers })
  const body = answer.json<{ responses: Answered[]; error?: { code: string; message: string; details?: unknown } }>()
  return { status: answer.statusCode, responses: body.responses, error: body.error, headers: answer.headers }
}

const create = (text: string, more: object = {}) => ({ method: 'POST', url: '/Notes', body: { text }, ...more })
const countOf = (app: FastifyInstance): Promise<number> => app.models.get('Note').count()

void t.test('without the option nothing answers', async (t) => {
  const app = await start(t, { options: {} })
  t.equal((await app.inject({ method: 'POST', url: '/api/batch', payload: {} })).statusCode, 404)
  t.equal((await app.inject({ method: 'POST', url: '/api/Notes/bulk', payload: {} })).statusCode, 404)
})

void t.test('each request is answered as if it had come alone', async (t) => {
  const app = await start(t)
  const requests = [create('one'), create('x'), { id: 'all', method: 'GET', url: '/Notes?filter={"fields":["text"]}' }]
  const { status, responses } = await send(app, { requests })
  t.equal(status, 200)
  t.strictSame(
    responses.map(({ id, status: each }) => [id, each]),
    [
      ['0', 200],
      ['1', 422],
      ['all', 200]
    ]
  )
  t.match(responses[0], { body: { id: 1, text: 'one' }, headers: { etag: /^"/ } })
  t.equal(responses[1]?.body?.error?.code, 'VALIDATION_FAILED')
  t.strictSame(responses[2]?.body, [{ text: 'one' }])
})

void t.test('headers of a request are its own; preferences and conditions of the batch are not', async (t) => {
  const app = await start(t)
  const { responses } = await send(app, { requests: [create('one')] }, { prefer: 'return=minimal' })
  t.equal(responses[0]?.body?.['text'], 'one')
  const etag = String(responses[0]?.headers['etag'])
  const change = { method: 'PATCH', url: '/Notes/1', body: { text: 'two' } }
  const second = await send(app, {
    requests: [
      { ...change, headers: { 'If-Match': etag, Prefer: 'return=minimal' } },
      { ...change, headers: { 'if-match': etag } }
    ]
  })
  t.strictSame(
    second.responses.map(({ status, body }) => [status, body?.error?.code]),
    [
      [204, undefined],
      [412, 'PRECONDITION_FAILED']
    ]
  )
})

void t.test('an atomic batch changes all or nothing', async (t) => {
  const app = await start(t)
  const failed = await send(app, { atomic: true, requests: [create('one'), create('x', { id: 'bad' }), create('two')] })
  t.equal(failed.status, 422)
  t.match(failed.error, {
    code: 'BATCH_ROLLED_BACK',
    details: { id: 'bad', status: 422, body: { error: { code: 'VALIDATION_FAILED' } } }
  })
  t.equal(await countOf(app), 0)
  const done = await send(app, { atomic: true, requests: [create('one'), create('two')] })
  t.equal(done.status, 200)
  t.equal(await countOf(app), 2)
})

void t.test('changes of an atomic batch are told once it is committed', async (t) => {
  const app = await start(t)
  const seen: unknown[] = []
  app.models.changes.subscribe('Note', (change) => seen.push(change))
  await send(app, { atomic: true, requests: [create('one'), create('x')] })
  t.equal(seen.length, 0)
  await send(app, { atomic: true, requests: [create('one'), create('two')] })
  t.equal(seen.length, 2)
})

void t.test('an atomic batch of several data sources is refused before anything is done', async (t) => {
  const app = await start(t)
  const other = { method: 'POST', url: '/Elsewheres', body: { name: 'a' } }
  const { status, error } = await send(app, { atomic: true, requests: [create('one'), other] })
  t.strictSame([status, error?.code], [400, 'BATCH_SPANS_DATA_SOURCES'])
  t.equal(await countOf(app), 0)
  t.equal((await send(app, { requests: [create('one'), other] })).responses[1]?.status, 200)
})

void t.test('a request uses what an earlier one gave', async (t) => {
  const app = await start(t)
  const { responses } = await send(app, {
    requests: [
      create('one', { id: 'note' }),
      { method: 'POST', url: '/Tags', body: { name: 'a', noteId: { $ref: 'note/id' } } },
      { method: 'PATCH', url: '/Notes/{note/id}', body: { text: 'two' } },
      { method: 'POST', url: '/Tags', body: { name: { $ref: 'note/nothing' } } },
      { method: 'GET', url: '/Notes/{later/id}' }
    ]
  })
  t.equal(responses[1]?.body?.['noteId'], 1)
  t.equal(responses[2]?.body?.['text'], 'two')
  t.strictSame(
    responses.slice(3).map(({ body }) => body?.error?.code),
    ['INVALID_BATCH', 'INVALID_BATCH']
  )
})

void t.test('a reference to lists, objects and long texts is refused: they would make requests grow', async (t) => {
  const app = await start(t)
  const long = 'x'.repeat(1001)
  const refer = (reference: string) => ({ method: 'POST', url: '/Tags', body: { name: { $ref: reference } } })
  const { responses } = await send(app, {
    requests: [
      create(long, { id: 'note' }),
      { id: 'all', method: 'GET', url: '/Notes' },
      refer('note'),
      refer('all'),
      refer('note/text'),
      refer('all/0/id')
    ]
  })
  t.strictSame(
    responses.slice(2).map(({ status, body }) => body?.error?.code ?? status),
    ['INVALID_BATCH', 'INVALID_BATCH', 'INVALID_BATCH', 200]
  )
})

void t.test('what needs the answer of a refused request is not carried out', async (t) => {
  const app = await start(t)
  const { responses } = await send(app, {
    requests: [create('x', { id: 'note' }), { method: 'POST', url: '/Tags', body: { name: { $ref: 'note/text' } } }]
  })
  t.strictSame([responses[1]?.status, responses[1]?.body?.error?.code], [424, 'DEPENDENCY_FAILED'])
  t.equal(await app.models.get('Tag').count(), 0)
})

void t.test('a reference does not lead out of the API', async (t) => {
  const app = await start(t)
  app.get('/secret', () => 'secret')
  const { responses } = await send(app, {
    requests: [
      { id: 'up', method: 'POST', url: '/Tags', body: { name: '..' } },
      { method: 'GET', url: '/{up/name}/secret' },
      { method: 'GET', url: '/../secret' },
      { method: 'GET', url: '/%2e%2e/secret' },
      { method: 'GET', url: '/batch' },
      { method: 'POST', url: '/batch', body: { requests: [create('one')] } }
    ]
  })
  t.strictSame(
    responses.slice(1).map(({ status }) => status),
    [400, 400, 400, 404, 404]
  )
  t.equal(await countOf(app), 0)
})

void t.test('streams have no place in a batch, however they are written', async (t) => {
  const app = await start(t)
  const urls = ['/Notes/change-stream', '/Notes/change%2Dstream', '/Notes/change-stream?_format=event-stream']
  const { responses } = await send(app, { requests: urls.map((url) => ({ method: 'GET', url })) })
  t.strictSame(
    responses.map(({ body }) => body?.error?.code),
    urls.map(() => 'INVALID_BATCH')
  )
})

void t.test('malformed batches are refused', async (t) => {
  const app = await start(t, { options: { batch: { limit: 2 } } })
  const one = create('one')
  const malformed: readonly object[] = [
    {},
    [],
    { requests: [] },
    { requests: [one, one, one] },
    {
      requests: [
        { ...one, id: 'a' },
        { ...one, id: 'a' }
      ]
    },
    {
      requests: [
        { ...one, id: '0' },
        { ...one, method: 'TRACE' }
      ]
    },
    { requests: [{ ...one, url: 'Notes' }] },
    { requests: [{ ...one, headers: { authorization: 'x' } }] },
    { requests: [{ ...one, more: 1 }] },
    { requests: [one], atomic: 'yes' }
  ]
  for (const body of malformed) {
    const { status, error } = await send(app, body)
    t.strictSame([status, error?.code], [400, 'INVALID_BATCH'], JSON.stringify(body))
  }
  t.equal(await countOf(app), 0)
})

void t.test('answers that are too long together end a batch, and what was done is told', async (t) => {
  const app = await start(t, { options: { batch: true, answer: { bytes: 80 } } })
  const requests = [create('aa'), create('b'.repeat(26)), create('cc')]
  const { responses } = await send(app, { requests })
  t.strictSame(
    responses.map(({ status, body }) => [status, body?.error?.code]),
    [
      [200, undefined],
      [200, undefined],
      [400, 'ANSWER_TOO_LARGE']
    ]
  )
  t.equal(await countOf(app), 2)
})

void t.test('the whole batch is carried out once with a key', async (t) => {
  const app = await start(t, { options: { batch: true, idempotency: { dataSource: 'db' } } })
  const body = { atomic: true, requests: [create('one')] }
  const headers = { 'idempotency-key': 'k' }
  const first = await send(app, body, headers)
  const again = await send(app, body, headers)
  t.strictSame(again.responses, first.responses)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.equal(await countOf(app), 1)
})

void t.test("the caller of each request is the batch's", async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [note] })
  app.addHook('preParsing', async (request) => {
    if (typeof request.headers['caller'] === 'string') request.principal = { userId: request.headers['caller'] }
  })
  const principals: unknown[] = []
  app.addHook('onResponse', async (request) => {
    if (request.url === '/api/Notes') principals.push(request.principal?.userId)
  })
  await app.register(rest, { prefix: '/api', batch: true })
  await send(app, { requests: [create('one')] }, { caller: 'ann' })
  await send(app, { requests: [create('one')] })
  t.strictSame(principals, ['ann', undefined])
})

void t.test('the path of batches must be free', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [{ ...note, plural: 'batch' }] })
  await t.rejects(async () => app.register(rest, { prefix: '/api', batch: true }), { code: 'MODEL_PATH_TAKEN' })
  const second = Fastify()
  t.teardown(() => second.close())
  await second.register(modelwire, { dataSources: { db: memory() }, models: [{ ...note, plural: 'batch' }] })
  await second.register(rest, { prefix: '/api', batch: { path: '/$batch' } })
  const answer = await second.inject({ method: 'POST', url: '/api/$batch', payload: { requests: [create('one')] } })
  t.match(answer.json(), { responses: [{ status: 404 }] })
})

void t.test('errors within a batch are problem details for clients that ask for them', async (t) => {
  const app = await start(t)
  const urls = ['/Unknown', '/Notes/9', '/Notes/{none/id}', '/Notes?filter={']
  const requests = [...urls.map((url) => ({ method: 'GET', url })), create('x'), create('one')]
  const { responses } = await send(app, { requests }, { accept: 'application/json, application/problem+json' })
  t.strictSame(
    responses.map(({ status }) => status),
    [404, 404, 400, 400, 422, 200]
  )
  for (const { status, headers, body } of responses.filter((each) => each.status >= 400)) {
    t.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
    t.match(body, { type: 'about:blank', status, title: String, detail: String, code: String })
  }
  t.match(responses.at(-1), { headers: { 'content-type': /^application\/json/ }, body: { text: 'one' } })
  const { responses: usual } = await send(app, { requests }, { accept: 'text/html' })
  for (const { status, body } of usual.filter((each) => each.status >= 400))
    t.match(body, { error: { statusCode: status, code: String } })
})
