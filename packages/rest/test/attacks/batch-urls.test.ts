import t from 'tap'
import { sendBatch, startBatches } from './start-batches.ts'

const get = (url: string) => ({ method: 'GET', url })

/** What a URL parser makes another URL of. */
const changed: readonly string[] = [
  '/Notes/..\\..\\internal\\report',
  '/Notes/..\\..\\metrics',
  '/Notes\\1',
  '/\\Notes',
  '/..\\metrics',
  '/Notes/../../metrics',
  '/Notes/./1',
  '/Notes/..',
  '/Notes/.',
  '/%2e%2e/metrics',
  '/Notes/.%2E\\..\\metrics',
  '/.\t./metrics',
  '/Notes/.\n.\\..\\metrics',
  '/Notes/\r1',
  '/No\ttes',
  '/Notes/\u0000',
  '/Notes/\u007f',
  '/Notes#',
  '/Notes#/../metrics',
  '/Notes?x=1#y',
  '/Notes?x=\n1'
]

void t.test('a URL that a parser would change is refused', async (t) => {
  const app = await startBatches(t)
  for (const url of changed)
    for (const atomic of [false, true]) {
      const { code, responses } = await sendBatch(app, { atomic, requests: [get(url)] })
      t.equal(atomic ? code : responses[0]?.body?.error?.code, 'INVALID_BATCH', JSON.stringify(url))
    }
})

void t.test('a URL without a slash at its beginning is malformed', async (t) => {
  const app = await startBatches(t)
  for (const url of ['', 'Notes', '\\Notes', 'http://localhost/metrics', '..', '?x', '*'])
    t.match(await sendBatch(app, { requests: [get(url)] }), { status: 400, code: 'INVALID_BATCH' }, url)
})

void t.test('no text leads to a route beside the API', async (t) => {
  const app = await startBatches(t)
  const urls = [
    '/metrics',
    '//metrics',
    '//localhost/metrics',
    '/http://localhost/metrics',
    '/@localhost/metrics',
    '/%2e%2e%2fmetrics',
    '/%2E%2E%5cmetrics',
    '/..%2fmetrics',
    '/..%5cmetrics',
    '/Notes/..%2f..%2fmetrics',
    '/..;/metrics',
    '/.%252e/metrics',
    '/batch',
    '/Notes/bulk/x',
    '/%zz',
    '/Notes%'
  ]
  const { responses } = await sendBatch(app, { requests: urls.map(get) })
  for (const [index, { status, body }] of responses.entries()) {
    t.equal(status, 404, urls[index] ?? '')
    t.not(body, 'outside')
  }
})

void t.test('what has to be percent-encoded is, and ids keep their signs', async (t) => {
  const app = await startBatches(t)
  // Decomposed and composed letters are different ids.
  const codes = [
    'a b',
    "it's",
    'é',
    'e\u0301',
    'a/b',
    'a\\b',
    '..\\x',
    '%2e',
    'a;b',
    'a?b#c',
    '"<>`{}|^[]',
    '\u{1f600}'
  ]
  for (const code of codes) await app.models.get('Code').create({ code })
  const { responses } = await sendBatch(app, {
    requests: codes.map((code) => get(`/Codes/${encodeURIComponent(code)}`))
  })
  t.strictSame(
    responses.map(({ body }) => body?.['code']),
    codes
  )
  const bare = ['a b', "it's", 'é', 'e\u0301', 'a;b', '"<>`{}|^[]', '\u{1f600}']
  const second = await sendBatch(app, { requests: bare.map((code) => get(`/Codes/${code}`)) })
  t.strictSame(
    second.responses.map(({ body }) => body?.['code']),
    bare
  )
})

void t.test('a query is sent as it is written', async (t) => {
  const app = await startBatches(t)
  const texts = ['a\\b', "it's", 'x y', 'é', '50%', 'a/../b', 'a?b']
  for (const text of texts) await app.models.get('Note').create({ text })
  const where = texts.map((text) => get(`/Notes/findOne?filter[where][text]=${text.replace('%', '%25')}`))
  const { responses } = await sendBatch(app, { requests: [...where, get('/Notes/count?')] })
  t.strictSame(
    responses.map(({ body }) => body?.['text'] ?? body?.['count']),
    [...texts, texts.length]
  )
})

void t.test('a batch is routed by the settings of the server', async (t) => {
  const urls = ['/notes', '/Notes/', '//Notes', '/Notes;x=1']
  const settings = ['caseSensitive', 'ignoreTrailingSlash', 'ignoreDuplicateSlashes', 'useSemicolonDelimiter']
  const usual = await startBatches(t)
  t.strictSame(
    (await sendBatch(usual, { requests: urls.map(get) })).responses.map(({ status }) => status),
    [404, 400, 404, 404]
  )
  for (const [index, setting] of settings.entries()) {
    const app = await startBatches(t, { server: { [setting]: setting !== 'caseSensitive' } })
    const { responses } = await sendBatch(app, { requests: urls.map(get) })
    t.equal(responses[index]?.status, 200, setting)
  }
})

void t.test('a prefix may end in a slash, and have signs that are encoded', async (t) => {
  for (const prefix of ['/v1/', '/ä b']) {
    const app = await startBatches(t, { options: { prefix, batch: true } as object })
    const answer = await app.inject({
      method: 'POST',
      url: `${encodeURI(prefix).replace(/\/$/, '')}/batch`,
      payload: { requests: [get('/Notes')] }
    })
    t.match(answer.json(), { responses: [{ status: 200, body: [] }] }, prefix)
  }
})

void t.test('a route of the application that hides one of the API does not answer for it', async (t) => {
  const calls: string[] = []
  const app = await startBatches(t, {
    beside: (server) => server.get('/api/Notes/special', (request) => calls.push(request.url))
  })
  const { responses } = await sendBatch(app, { requests: [get('/Notes/special')] })
  t.match(responses, [{ status: 404, body: { error: { message: /hidden by another route/ } } }])
})

void t.test('a server that rewrites URLs does not lead a request to another operation', async (t) => {
  const rewriteUrl = ({ url = '' }): string => url.replace('/Notes/1', '/Notes/count').replace('/Codes', '/metrics')
  const app = await startBatches(t, { server: { rewriteUrl } })
  await app.models.get('Note').create({ text: 'one' })
  const { responses } = await sendBatch(app, {
    requests: [get('/Notes/1'), get('/Notes'), get('/Codes/../x'), get('/Codes')]
  })
  t.strictSame(
    responses.map(({ status }) => status),
    [404, 200, 400, 404]
  )
})

void t.test('a hook that refuses a request before it has a route is answered as it refuses', async (t) => {
  const app = await startBatches(t, {
    beside: (server) =>
      server.addHook('onRequest', async (request, reply) =>
        request.url === '/api/Notes' ? reply.code(429).send({ slower: true }) : undefined
      )
  })
  t.match(await sendBatch(app, { requests: [get('/Notes')] }), { responses: [{ status: 429, body: { slower: true } }] })
})

void t.test('a reference does not lead an atomic batch to another data source', async (t) => {
  const app = await startBatches(t)
  const { code } = await sendBatch(app, {
    atomic: true,
    requests: [
      { id: 'note', method: 'POST', url: '/Notes', body: { text: 'far' } },
      { id: 'far', method: 'GET', url: '/Notes/{note/text}' }
    ]
  })
  t.equal(code, 'BATCH_ROLLED_BACK')
  t.equal(await app.models.get('Note').count(), 0)
  const planned = [get('/Notes'), get('/Notes/far')]
  t.match(await sendBatch(app, { atomic: true, requests: planned }), { code: 'BATCH_SPANS_DATA_SOURCES' })
})

void t.test('a reference gives a segment, and never takes one away', async (t) => {
  const app = await startBatches(t, { server: { routerOptions: { ignoreTrailingSlash: true } } })
  const texts = ['', '.', '..', '\\..\\..\\metrics', '../../metrics', '?x', '#', 'a/b']
  for (const text of texts) {
    const { responses } = await sendBatch(app, {
      requests: [{ id: 'note', method: 'POST', url: '/Notes', body: { text } }, get('/Codes/{note/text}')]
    })
    const isRefused = ['', '.', '..'].includes(text)
    t.equal(responses[1]?.body?.error?.code, isRefused ? 'INVALID_BATCH' : 'MODEL_NOT_FOUND', text)
  }
  const note = { id: 'note', method: 'POST', url: '/Notes', body: { text: '' } }
  const { responses } = await sendBatch(app, { requests: [note, get('/Notes?filter[where][text]={note/text}')] })
  t.equal(responses[1]?.status, 200)
})

void t.test('headers of a request are those that HTTP has', async (t) => {
  const app = await startBatches(t)
  for (const name of ['if-match', 'if-none-match', 'prefer', 'idempotency-key'])
    for (const value of ['a\r\nx: y', 'a\u0000', 'Ā', '\ud800'])
      t.match(await sendBatch(app, { requests: [{ ...get('/Notes'), headers: { [name]: value } }] }), {
        status: 400
      })
  for (const name of ['host', 'content-length', 'transfer-encoding', 'accept', 'x-http-method-override', 'cookie'])
    t.match(await sendBatch(app, { requests: [{ ...get('/Notes'), headers: { [name]: 'text/event-stream' } }] }), {
      status: 400,
      code: 'INVALID_BATCH'
    })
})

void t.test('an empty id does not lead a record of many to another method', async (t) => {
  const app = await startBatches(t, { server: { routerOptions: { ignoreTrailingSlash: true } } })
  for (const payload of [{ update: [{ code: '', more: 1 }] }, { delete: [''] }]) {
    const answer = await app.inject({ method: 'POST', url: '/api/Codes/bulk', payload })
    t.match(answer.json(), { error: { code: 'INVALID_BATCH' } })
  }
  const dots = await app.inject({ method: 'POST', url: '/api/Codes/bulk', payload: { delete: ['..', '.'] } })
  t.match(dots.json(), { delete: [{ status: 400 }, { status: 400 }] })
})
