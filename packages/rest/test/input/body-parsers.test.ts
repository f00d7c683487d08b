import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t from 'tap'
import type { BodyOptions } from '#src/body-options.ts'
import { registerBodyParsers } from '#src/input/body-parsers.ts'
import { bodySettings } from '../fixtures/with-defaults.ts'

type Test = Pick<typeof t, 'teardown'>

async function startEcho(test: Test, options?: BodyOptions): Promise<FastifyInstance> {
  const app = fastify()
  test.teardown(() => app.close())
  await app.register(async (scope) => {
    await registerBodyParsers(scope, bodySettings(options), false)
    scope.route({
      method: ['POST', 'DELETE', 'PUT', 'PATCH'],
      url: '/echo',
      handler: async ({ body, bodyFormat }) => ({ body: body === undefined ? 'undefined' : body, bodyFormat })
    })
  })
  return app
}

async function send(
  app: FastifyInstance,
  type: string | undefined,
  payload?: string | Buffer,
  more: InjectOptions = {}
): Promise<unknown[]> {
  const headers = { ...(type === undefined ? {} : { 'content-type': type }), ...more.headers }
  const answer = await app.inject({
    method: 'POST',
    url: '/echo',
    ...more,
    headers,
    ...(payload === undefined ? {} : { payload })
  })
  const { body, bodyFormat, code } = answer.json<Record<string, unknown>>()
  return answer.statusCode === 200 ? [body, bodyFormat] : [answer.statusCode, code]
}

const json = '{"title":"A"}'
const bodies: readonly (readonly [type: string | undefined, payload: string | undefined, ...seen: unknown[]])[] = [
  ['application/json', json, { title: 'A' }, 'json'],
  ['application/json; charset=utf-8', json, { title: 'A' }, 'json'],
  ['application/json; charset="UTF-8"', json, { title: 'A' }, 'json'],
  ['APPLICATION/JSON', json, { title: 'A' }, 'json'],
  ['application/json', '\ufeff{"title":"bom"}', { title: 'bom' }, 'json'],
  ['application/json', 'null', null, 'json'],
  ['application/json', '', 'undefined', 'none'],
  ['application/json', undefined, 'undefined', 'none'],
  ['application/json; charset=latin1', '', 'undefined', 'none'],
  ['application/x-www-form-urlencoded', 'a[b]=1', { a: { b: '1' } }, 'form'],
  ['application/x-www-form-urlencoded; charset=utf-8', 'a=1', { a: '1' }, 'form'],
  ['application/x-www-form-urlencoded', '', 'undefined', 'none'],
  ['application/xml', '<p><a>1</a></p>', { a: '1' }, 'xml'],
  ['text/xml; charset=utf-8', '<p><a>1</a></p>', { a: '1' }, 'xml'],
  ['text/plain', '', 'undefined', 'none'],
  ['text/plain', undefined, 'undefined', 'none'],
  [undefined, undefined, 'undefined', 'none']
]

t.test('bodies are read by their media type', async (t) => {
  const app = await startEcho(t)
  for (const [type, payload, ...seen] of bodies)
    t.strictSame(await send(app, type, payload), seen, `${type} ${payload}`)
})

const refused: readonly (readonly [type: string | undefined, payload: string, status: number, code: string])[] = [
  ['application/json', '{', 400, 'BODY_INVALID'],
  ['application/json', ' ', 400, 'BODY_INVALID'],
  ['application/json', '{"__proto__":{}}', 400, 'PROPERTY_NAME_REFUSED'],
  ['application/json; charset=latin1', json, 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['application/x-www-form-urlencoded; charset=latin1', 'a=1', 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['application/vnd.api+json', json, 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['text/json', json, 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['text/plain', json, 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['application/yaml', 'title: N', 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['multipart/form-data; boundary=b', '--b--', 415, 'MEDIA_TYPE_UNSUPPORTED'],
  [undefined, 'x', 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['json', json, 415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE'],
  ['application/json', `{"a":"${'x'.repeat(103_000)}"}`, 413, 'FST_ERR_CTP_BODY_TOO_LARGE'],
  ['application/x-www-form-urlencoded', '&'.repeat(1000), 413, 'PAYLOAD_TOO_LARGE']
]

t.test('bodies that cannot be read are refused', async (t) => {
  const app = await startEcho(t)
  for (const [type, payload, ...seen] of refused)
    t.strictSame(await send(app, type, payload), seen, `${type} ${payload.slice(0, 40)}`)
})

t.test('DELETE, PUT and PATCH take no body, an empty one and a full one', async (t) => {
  const app = await startEcho(t)
  for (const method of ['DELETE', 'PUT', 'PATCH'] as const) {
    t.strictSame(await send(app, 'application/json', undefined, { method }), ['undefined', 'none'])
    t.strictSame(await send(app, 'application/json', '', { method }), ['undefined', 'none'])
    t.strictSame(await send(app, 'application/json', json, { method }), [{ title: 'A' }, 'json'])
  }
})

t.test('compressed bodies are inflated', async (t) => {
  const app = await startEcho(t)
  const encodings = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    identity: (bytes: Buffer) => bytes,
    GZIP: gzipSync
  }
  for (const [encoding, compress] of Object.entries(encodings)) {
    const seen = await send(app, 'application/json', compress(Buffer.from(json)), {
      headers: { 'content-encoding': encoding }
    })
    t.strictSame(seen, [{ title: 'A' }, 'json'], encoding)
  }
})

t.test('compressed bodies obey the limit, and must be sound', async (t) => {
  const app = await startEcho(t)
  const bomb = Buffer.from(`"${'x'.repeat(1_000_000)}"`)
  for (const [encoding, compress] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
    const headers = { 'content-encoding': encoding }
    t.strictSame(await send(app, 'application/json', compress(bomb), { headers }), [413, 'PAYLOAD_TOO_LARGE'], encoding)
    t.strictSame(await send(app, 'application/json', '{}', { headers }), [400, 'BODY_ENCODING_INVALID'], encoding)
  }
  for (const encoding of ['bogus', 'gzip, gzip', 'constructor', '']) {
    const headers = { 'content-encoding': encoding }
    t.strictSame(await send(app, 'application/json', '{}', { headers }), [415, 'MEDIA_TYPE_UNSUPPORTED'], encoding)
  }
})

t.test('limits and strictness are options', async (t) => {
  const app = await startEcho(t, {
    json: { limit: '1kb', strict: true, depth: 2 },
    urlencoded: { limit: 20 },
    xml: { limit: '30b' }
  })
  t.strictSame(await send(app, 'application/json', '5'), [400, 'BODY_INVALID'])
  t.strictSame(await send(app, 'application/json', '[[[]]]'), [400, 'LIMIT_EXCEEDED'])
  t.strictSame(await send(app, 'application/json', `["${'x'.repeat(1100)}"]`), [413, 'FST_ERR_CTP_BODY_TOO_LARGE'])
  t.strictSame(await send(app, 'application/x-www-form-urlencoded', `a=${'x'.repeat(20)}`), [
    413,
    'FST_ERR_CTP_BODY_TOO_LARGE'
  ])
  t.strictSame(await send(app, 'text/xml', `<a>${'x'.repeat(30)}</a>`), [413, 'FST_ERR_CTP_BODY_TOO_LARGE'])
})

t.test('the parsers of other scopes stay as they are', async (t) => {
  const app = await startEcho(t)
  app.post('/plain', async ({ body }) => ({ body }))
  const answer = await app.inject({
    method: 'POST',
    url: '/plain',
    headers: { 'content-type': 'text/plain' },
    payload: 'x'
  })
  t.same(answer.json(), { body: 'x' })
})
