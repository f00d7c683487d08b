import { gzipSync } from 'node:zlib'
import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const returns = { arg: 'value', type: 'any' }
const from = (source: string, type: unknown) => ({
  accepts: { arg: 'v', type, http: { source } },
  returns,
  http: { verb: source === 'form' ? 'post' : 'get', path: source === 'path' ? `/${source}/:v` : `/${source}` }
})

/** A method for each place of a request that an argument can be in. */
const echo: ModelDefinition = {
  name: 'Echo',
  public: true,
  properties: { text: 'string', anything: 'any', object: 'object', texts: ['string'], list: 'array' },
  methods: {
    fromQuery: from('query', 'object'),
    fromPath: from('path', 'object'),
    fromHeader: from('header', 'object'),
    fromForm: from('form', 'any'),
    listed: { ...from('query', ['string']), http: { verb: 'get', path: '/listed' } }
  }
}

async function start(t: Test, options: { compat?: boolean } = {}): Promise<FastifyInstance> {
  const app = fastify({ routerOptions: { maxParamLength: 500 } })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [echo], ...options })
  for (const name of Object.keys(echo.methods ?? {})) {
    Object.assign(app.models.get('Echo'), { [name]: async (value: unknown) => value })
  }
  await app.register(rest, { prefix: '/api' })
  await app.models.get('Echo').create({ text: 'a' })
  return app
}

const escape = '\\ud83d'
const encoded = (json: string): string => encodeURIComponent(json)
const post = (
  payload: string | Buffer,
  type = 'application/json',
  more: Record<string, string> = {}
): InjectOptions => ({
  method: 'POST',
  url: '/api/Echos',
  headers: { 'content-type': type, ...more },
  payload
})
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

const requests: readonly InjectOptions[] = [
  ...[
    `{"text":"${escape}"}`,
    `{"text":"${escape.toUpperCase().replace('U', 'u')}"}`,
    '{"text":"\\udc00\\ud83d"}',
    `{"${escape}":1}`,
    `{"object":{"a":[{"b":"x${escape}"}]}}`,
    `{"object":{"a":[{"${escape}":1}]}}`,
    `{"texts":["a","${escape}"]}`,
    `[{"text":"a"},{"text":"${escape}"}]`,
    `"${escape}"`,
    // JSON within a text of JSON
    `{"anything":"{\\"a\\":\\"\\\\ud83d\\"}"}`,
    `{"list":"[\\"\\\\ud83d\\"]"}`
  ].map((body) => post(body)),
  post(`anything=${encoded(`{"a":"${escape}"}`)}`, 'application/x-www-form-urlencoded'),
  { ...post(`v=${encoded(`{"a":"${escape}"}`)}`, 'application/x-www-form-urlencoded'), url: '/api/Echos/form' },
  { ...post(`{"v":"${escape}"}`), url: '/api/Echos/form' },
  post(`<echo><anything>{"a":"${escape}"}</anything></echo>`, 'application/xml'),
  post(latin1('{"text":"é"}')),
  post(latin1('text=é'), 'application/x-www-form-urlencoded'),
  post(latin1('<echo><text>é</text></echo>'), 'application/xml'),
  post(Buffer.from('7b2274657874223a22eda08022 7d'.replace(' ', ''), 'hex')),
  post(gzipSync(latin1('{"text":"é"}')), 'application/json', { 'content-encoding': 'gzip' }),
  ...[
    `/api/Echos?filter=${encoded(`{"where":{"text":"${escape}"}}`)}`,
    `/api/Echos?filter=${encoded(`{"where":{"text":{"inq":["${escape}"]}}}`)}`,
    `/api/Echos?filter=${encoded(`{"where":{"${escape}":1}}`)}`,
    `/api/Echos/count?where=${encoded(`{"text":"${escape}"}`)}`,
    `/api/Echos/query?v=${encoded(`{"a":"${escape}"}`)}`,
    `/api/Echos/listed?v=${encoded(`["${escape}"]`)}`,
    `/api/Echos/path/${encoded(`{"a":"${escape}"}`)}`
  ].map((url): InjectOptions => ({ method: 'GET', url })),
  { method: 'GET', url: '/api/Echos/header', headers: { v: `{"a":"${escape}"}` } }
]

t.test('a text that is not well-formed Unicode is refused, wherever it stands', async (t) => {
  for (const compat of [false, true]) {
    const app = await start(t, { compat })
    for (const request of requests) {
      const answer = await app.inject(request)
      const title = `${String(request.url)} ${String(request.payload)}`
      t.equal(answer.statusCode, 400, title)
      t.equal(answer.json<{ error: { code?: string } }>().error.code, 'TEXT_NOT_WELL_FORMED', title)
    }
    t.equal(await app.models.get('Echo').count(), 1, 'nothing is stored')
  }
})

t.test('pairs of surrogates, NUL and what looks like an escape are data', async (t) => {
  const app = await start(t)
  for (const text of ['😀', '\0', 'a\0b', '\u2028', '\ufeff', '\uffff', '\ufffd', '\\ud83d', 'é']) {
    const object = { [`x${text}`]: [text] }
    for (const payload of [JSON.stringify({ text, object }), escaped({ text, object })]) {
      t.match((await app.inject(post(payload))).json(), { text, object })
    }
    const url = `/api/Echos/query?v=${encoded(escaped({ a: text }))}`
    t.same((await app.inject(url)).json(), { value: { a: text } })
  }
})

/** The JSON of a value, in ASCII. */
function escaped(value: unknown): string {
  const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replaceAll(/[^ -~]/g, code)
}
