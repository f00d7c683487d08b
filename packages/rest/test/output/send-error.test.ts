import { Writable } from 'node:stream'
import { ModelNotFound } from '@modelwire/core'
import { rulesOf } from '@modelwire/core/plugin'
import fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { registerBodyParsers } from '#src/input/body-parsers.ts'
import type { ErrorOptions } from '#src/options.ts'
import { createErrorHandler } from '#src/output/send-error.ts'
import { bodySettings } from '../fixtures/with-defaults.ts'

type Test = Pick<typeof t, 'teardown'>

interface LogLine {
  readonly level: number
  readonly msg: string
  readonly reason?: string
  readonly err?: { readonly stack: string }
}

interface Server {
  readonly app: FastifyInstance
  readonly lines: LogLine[]
}

async function start(test: Test, options: ErrorOptions = {}, version: 2 | 3 = 3): Promise<Server> {
  const lines: LogLine[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const line = JSON.parse(String(chunk)) as LogLine
      if (line.msg.startsWith('the request')) lines.push(line)
      done()
    }
  })
  const handler = createErrorHandler(options, rulesOf(version, true))
  const app = fastify({ logger: { stream }, frameworkErrors: handler })
  test.teardown(() => app.close())
  app.setErrorHandler(handler)
  await registerBodyParsers(app, bodySettings(), false)
  app.get('/missing', async () => {
    throw new ModelNotFound('Unknown "Painting" id "9".')
  })
  app.get('/broken', async () => {
    throw new TypeError('oops')
  })
  app.post('/body', async () => 'ok')
  app.get('/param/:id', async () => 'ok')
  return { app, lines }
}

const accepts: readonly (readonly [accept: string | undefined, type: string])[] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/html', 'text/html'],
  ['text/xml', 'text/xml'],
  ['application/xml', 'text/xml'],
  ['APPLICATION/XML', 'text/xml'],
  ['text/plain', 'application/json'],
  ['image/png', 'application/json'],
  ['application/vnd.api+json', 'application/json'],
  ['application/javascript', 'application/json'],
  ['text/html,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['text/*', 'text/html'],
  ['application/*', 'application/json'],
  ['text/plain, text/html;q=0.1', 'text/html'],
  ['application/xml, text/html', 'text/xml'],
  ['text/html;q=0.5, application/xml', 'text/xml'],
  ['*/*, text/html', 'text/html'],
  ['*/*;q=0.1, text/html;q=0.05', 'application/json'],
  ['text/html;q=0', 'application/json'],
  ['application/json;q=0,text/html', 'text/html'],
  ['text/html; charset=utf-8', 'application/json'],
  ['application/xml;q=0.9, */*', 'application/json'],
  ['text/xml, */*;q=0.5', 'text/xml'],
  ['text/*, application/json', 'application/json'],
  ['application/*, text/html', 'text/html']
]

t.test('Accept chooses the format of an error', async (t) => {
  const { app } = await start(t)
  for (const [accept, type] of accepts) {
    const answer = await app.inject({ url: '/missing', headers: accept === undefined ? {} : { accept } })
    t.equal(answer.statusCode, 404)
    t.equal(answer.headers['content-type'], `${type}; charset=utf-8`, String(accept))
    t.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
})

const formats: readonly (readonly [query: string, type: string])[] = [
  ['_format=json', 'application/json'],
  ['_format=xml', 'text/xml'],
  ['_format=html', 'text/html'],
  ['_format=text/xml', 'text/xml'],
  ['_format=text/html', 'text/html'],
  ['_format=application/json', 'application/json'],
  ['_format=application/xml', 'text/html'],
  ['_format=XML', 'text/html'],
  ['_format=bogus', 'text/html'],
  ['_format=constructor', 'text/html'],
  ['_format=xml&_format=json', 'text/html'],
  ['_format=', 'text/html']
]

t.test('_format wins when it is known', async (t) => {
  const { app } = await start(t)
  for (const [query, type] of formats) {
    const answer = await app.inject({ url: `/missing?${query}`, headers: { accept: 'text/html' } })
    t.equal(answer.headers['content-type'], `${type}; charset=utf-8`, query)
  }
})

t.test('each format holds the error', async (t) => {
  const { app } = await start(t)
  const body = async (format: string) => (await app.inject(`/missing?_format=${format}`)).body
  t.equal(
    await body('json'),
    '{"error":{"statusCode":404,"name":"Error","message":"Unknown \\"Painting\\" id \\"9\\".","code":"MODEL_NOT_FOUND"}}'
  )
  t.match(
    await body('xml'),
    /^<\?xml version='1.0'\?>\n<error>\n {4}<statusCode>404<\/statusCode>\n {4}<name>Error<\/name>/
  )
  t.match(await body('html'), /<h1>404 Not Found<\/h1>/)
})

const problemAccepts = [
  'application/problem+json',
  'application/json, application/problem+json',
  'application/problem+json;q=0.5, text/html, */*',
  'APPLICATION/PROBLEM+JSON'
]

t.test('a client that names problem details gets them, whatever else it accepts', async (t) => {
  const { app } = await start(t)
  for (const accept of problemAccepts) {
    const answer = await app.inject({ url: '/missing', headers: { accept } })
    t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8', accept)
    t.strictSame(answer.json(), {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Unknown "Painting" id "9".',
      name: 'Error',
      code: 'MODEL_NOT_FOUND'
    })
  }
  const answers = ['application/*', '*/*', 'application/problem+json;q=0'].map((accept) =>
    app.inject({ url: '/missing', headers: { accept } })
  )
  for (const answer of await Promise.all(answers))
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
})

t.test('problem details of a server error say no more than other formats, and _format wins', async (t) => {
  const { app } = await start(t)
  const headers = { accept: 'application/problem+json' }
  const answer = await app.inject({ url: '/broken', headers })
  t.strictSame(answer.json(), {
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    detail: 'Internal Server Error'
  })
  const asJson = await app.inject({ url: '/missing?_format=json', headers })
  t.equal(asJson.headers['content-type'], 'application/json; charset=utf-8')
})

t.test('details that contain themselves are told in every format', async (t) => {
  const { app } = await start(t)
  app.get('/circle', async () => {
    const error: Error & { details?: unknown } = Object.assign(new Error('round'), { statusCode: 409 })
    error.details = { error: [error] }
    throw error
  })
  for (const format of ['json', 'xml', 'html']) {
    const answer = await app.inject(`/circle?_format=${format}`)
    t.equal(answer.statusCode, 409, format)
    t.match(answer.body, '[Circular]', format)
  }
})

t.test('the default type and no negotiation are options', async (t) => {
  const type = async (options: ErrorOptions, accept?: string, version?: 2 | 3) => {
    const { app } = await start(t, options, version)
    return (await app.inject({ url: '/missing', headers: accept === undefined ? {} : { accept } })).headers[
      'content-type'
    ]
  }
  t.match(await type({ defaultType: 'html' }), 'application/json')
  t.match(await type({ defaultType: 'html' }, '*/*'), 'application/json')
  t.match(await type({ defaultType: 'html' }, 'image/png'), 'text/html')
  t.match(await type({ defaultType: 'html' }, 'application/json'), 'application/json')
  t.match(await type({ defaultType: 'html' }, 'application/xml'), 'text/xml')
  t.match(await type({ negotiateContentType: false }, 'text/html'), 'application/json')
  t.match(await type({ negotiateContentType: false, defaultType: 'xml' }, 'text/html'), 'text/xml')
  t.match(await type({ defaultType: 'html' }, 'text/html', 2), 'application/json')
})

t.test('the root property names the XML root, false does not', async (t) => {
  const body = async (rootProperty: string | false) => {
    const { app } = await start(t, { rootProperty })
    return (await app.inject('/missing?_format=xml')).body
  }
  t.match(await body('fault'), /<fault>/)
  t.match(await body(false), /<error>/)
})

t.test("Fastify's own errors have LoopBack's names", async (t) => {
  const { app } = await start(t)
  const json = { 'content-type': 'application/json' }
  const large = await app.inject({ method: 'POST', url: '/body', headers: json, payload: `"${'x'.repeat(103_000)}"` })
  t.match(large.json(), { error: { statusCode: 413, name: 'PayloadTooLargeError' } })
  const odd = await app.inject({ method: 'POST', url: '/body', headers: { 'content-type': 'json' }, payload: '1' })
  t.match(odd.json(), { error: { statusCode: 415, name: 'UnsupportedMediaTypeError' } })
  const path = await app.inject('/param/%ZZ')
  t.match(path.json(), { error: { statusCode: 400, name: 'URIError' } })
  for (const answer of [large, odd, path]) t.notMatch(answer.body, /FST_/)
})

t.test('errors of the server are logged with their stack, others without', async (t) => {
  const { app, lines } = await start(t)
  await app.inject('/missing')
  await app.inject('/broken')
  const [refused, failed] = lines
  t.match(refused, { level: 30, reason: /Unknown "Painting"/ })
  t.notMatch(refused, { err: Object })
  t.match(failed, { level: 50, err: { stack: /TypeError: oops\n\s+at / } })
})

t.test('nothing is logged when the log is off', async (t) => {
  const { app, lines } = await start(t, { log: false })
  await app.inject('/missing')
  await app.inject('/broken')
  t.same(lines, [])
})

t.test('a complete answer is left alone', async (t) => {
  const { app } = await start(t)
  app.get('/complete', async (_request, reply) => {
    reply.raw.end('own answer')
    throw new Error('too late')
  })
  t.equal((await app.inject('/complete')).body, 'own answer')
})

t.test('half an answer is cut off', async (t) => {
  const { app, lines } = await start(t)
  app.get('/half', async (_request, reply) => {
    reply.raw.write('half of it')
    throw new Error('too late')
  })
  await t.rejects(app.inject('/half'), { code: 'LIGHT_ECONNRESET' })
  t.match(lines, [{ err: { stack: /too late/ } }])
})

t.test('options that there are not are refused', async (t) => {
  for (const options of [{ debug: 'yes' }, { version: 2 }])
    t.throws(() => createErrorHandler(options as ErrorOptions), { code: 'OPTION_INVALID' }) // as from JavaScript
})
