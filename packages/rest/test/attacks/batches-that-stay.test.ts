import { request as connect, type ServerResponse } from 'node:http'
import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { sendBatch, startBatches, type Wanted } from './start-batches.ts'

const get = (url: string) => ({ method: 'GET', url })
const create = (text: string) => ({ method: 'POST', url: '/Notes', body: { text } })
const countOf = async (app: FastifyInstance): Promise<number> => app.models.get('Note').count()

const response = { arg: 'res', type: 'object', http: { source: 'res' } }
const slow = {
  name: 'Slow',
  base: 'Model',
  public: true,
  methods: {
    wait: { http: { verb: 'all', path: '/wait' }, accepts: [response] },
    events: { http: { verb: 'get', path: '/events' }, accepts: [response] },
    lines: { http: { verb: 'get', path: '/lines' }, accepts: [response] }
  }
} as const

/** Methods that do not end by themselves, and the responses that they have. */
async function start(t: Test, wanted: Wanted = {}): Promise<[FastifyInstance, ServerResponse[]]> {
  const app = await startBatches(t, { ...wanted, more: [slow] })
  const responses: ServerResponse[] = []
  const writeOn = (res: ServerResponse, type: string): Promise<never> => {
    responses.push(res)
    res.writeHead(200, { 'content-type': type })
    const write = (): void => {
      if (!res.destroyed && res.write('x'.repeat(1000))) setImmediate(write)
    }
    res.on('drain', write)
    write()
    return never
  }
  const never = new Promise<never>(() => {})
  Object.assign(app.models.get('Slow'), {
    wait: (res: ServerResponse) => responses.push(res) && never,
    events: (res: ServerResponse) => writeOn(res, 'text/event-stream; charset=utf-8'),
    lines: (res: ServerResponse) => writeOn(res, 'text/plain')
  })
  return [app, responses]
}

const isClosed = (responses: readonly ServerResponse[]) =>
  responses.length > 0 && responses.every((res) => res.destroyed)

/** Sends a batch over a connection, which is closed once a method waits; gives the status and body that nobody reads. */
async function leave(app: FastifyInstance, responses: readonly ServerResponse[], batch: object, headers = {}) {
  const url = new URL('/api/batch', app.listeningOrigin)
  const client = connect(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers }
  })
  const gone = new Promise((resolve) => client.on('close', resolve))
  client.on('error', () => {}).end(JSON.stringify(batch))
  await until(() => responses.length > 0, 'the method to wait')
  client.destroy()
  await gone
}

/** What batches were answered, whether or not anybody reads it. */
function watchAnswers(): [Wanted, { status: number; body: string }[]] {
  const answers: { status: number; body: string }[] = []
  const beside = (app: FastifyInstance): void => {
    app.addHook('onSend', async ({ url }, { statusCode }, payload) => {
      if (url === '/api/batch') answers.push({ status: statusCode, body: String(payload) })
    })
  }
  return [{ beside }, answers]
}

void t.test('a stream has no place in a batch, however its URL is written', async (t) => {
  const app = await startBatches(t, { server: { routerOptions: { caseSensitive: false } } })
  const urls = [
    '/Notes/change-stream',
    '/Notes/change%2Dstream',
    '/notes/CHANGE-STREAM',
    '/Notes/change-stream?_format=event-stream',
    '/Notes/..\\Notes\\change-stream',
    '/Notes/../Notes/change-stream',
    '/Notes/\tchange-stream'
  ]
  for (const request of urls.flatMap((url) => [get(url), { method: 'POST', url }]))
    for (const atomic of [false, true]) {
      const { code, responses } = await sendBatch(app, { atomic, requests: [create('one'), request] })
      t.equal(atomic ? code : responses[1]?.body?.error?.code, 'INVALID_BATCH', JSON.stringify(request))
    }
  const requests = [{ ...create('change-stream'), id: 'note' }, get('/Notes/{note/text}')]
  t.match(await sendBatch(app, { requests }), { responses: [{}, { body: { error: { code: 'INVALID_BATCH' } } }] })
  t.match(await sendBatch(app, { atomic: true, requests }), { code: 'BATCH_ROLLED_BACK' })
})

void t.test('an answer that turns out to be a stream is ended and refused', async (t) => {
  const [app, responses] = await start(t)
  const { responses: answers } = await sendBatch(app, { requests: [get('/Slows/events'), create('one')] })
  t.match(answers, [{ status: 400, body: { error: { code: 'INVALID_BATCH' } } }, { status: 200 }])
  t.ok(isClosed(responses))
  const { code } = await sendBatch(app, { atomic: true, requests: [create('two'), get('/Slows/events')] })
  t.equal(code, 'BATCH_ROLLED_BACK')
  t.equal(await countOf(app), 1)
})

void t.test('an answer without end is ended once it is longer than answers may be', async (t) => {
  const [app, responses] = await start(t, { options: { answer: { bytes: 100_000 } } })
  const { responses: answers } = await sendBatch(app, { requests: [get('/Slows/lines')] })
  t.match(answers, [{ status: 400, body: { error: { code: 'ANSWER_TOO_LARGE' } } }])
  t.ok(isClosed(responses))
})

void t.test('an atomic batch that takes too long is rolled back, and what runs is closed', async (t) => {
  const [app, responses] = await start(t, { options: { batch: { timeout: 0.2 } } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(new URL('/api/batch', app.listeningOrigin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ atomic: true, requests: [create('one'), get('/Slows/wait')] })
  })
  t.equal(answer.status, 503)
  t.match(await answer.json(), { error: { code: 'TRANSACTION_TIMEOUT' } })
  t.ok(responses.every((res) => res.destroyed))
  t.equal(await countOf(app), 0)
})

for (const method of ['GET', 'POST'])
  void t.test(`an atomic batch ends when its client leaves during a ${method}`, async (t) => {
    const [wanted, answers] = watchAnswers()
    const [app, responses] = await start(t, wanted)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const waiting = { method, url: '/Slows/wait', ...(method === 'POST' ? { body: {} } : {}) }
    await leave(app, responses, { atomic: true, requests: [create('one'), waiting, create('two')] })
    await until(() => answers.length > 0, 'the batch to end')
    t.match(answers, [{ status: 499, body: /"CLIENT_LEFT"/ }])
    t.ok(isClosed(responses))
    t.equal(await countOf(app), 0)
  })

void t.test('a batch begins no other request once its client has left', async (t) => {
  const [wanted, answers] = watchAnswers()
  const [app, responses] = await start(t, wanted)
  await app.listen({ host: '127.0.0.1', port: 0 })
  await leave(app, responses, { requests: [create('one'), get('/Slows/wait'), create('two'), create('three')] })
  await until(() => answers.length > 0, 'the batch to end')
  const { responses: told } = JSON.parse(answers[0]?.body ?? '') as { responses: { status: number }[] }
  t.strictSame(
    told.map(({ status }) => status),
    [200, 499, 499, 499]
  )
  t.ok(isClosed(responses))
  t.equal(await countOf(app), 1)
})

const repeated = [
  { atomic: true, title: 'an atomic batch with a key that its client left is carried out again', statuses: [200, 204] },
  { atomic: false, title: 'a batch with a key that its client left tells what was carried out', statuses: [200, 499] }
]

for (const { title, atomic, statuses } of repeated)
  void t.test(title, async (t) => {
    const [app, responses] = await start(t, { options: { batch: true, idempotency: { dataSource: 'far' } } })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const [payload, headers] = [{ atomic, requests: [create('one'), get('/Slows/wait')] }, { 'idempotency-key': 'k' }]
    await leave(app, responses, payload, headers)
    Object.assign(app.models.get('Slow'), { wait: () => undefined })
    const answer = await until(async () => {
      const again = await app.inject({ method: 'POST', url: '/api/batch', headers, payload })
      return again.statusCode !== 409 && again
    }, 'the key to be free')
    t.match(
      answer.json<{ responses: { status: number }[] }>().responses.map(({ status }) => status),
      statuses
    )
    t.equal(await countOf(app), 1)
  })
