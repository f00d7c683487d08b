import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import formbody from '@fastify/formbody'
import { Type } from '@sinclair/typebox'
import { defineModel, modelwire } from '@modelwire/core'
import { memory } from '@modelwire/connector-memory'
import fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { rest } from '#src/index.ts'

type Test = Pick<typeof t, 'teardown'>
type AddParser = (app: FastifyInstance) => unknown

const type = 'application/x-www-form-urlencoded'

const Note = defineModel(
  'Note',
  Type.Object({
    id: Type.Optional(Type.Number()),
    title: Type.String(),
    tags: Type.Optional(Type.Array(Type.String()))
  }),
  { public: true }
)

/** An application with routes of its own at `/own`. Its parser comes before the API or after it. */
async function serve(test: Test, before?: AddParser, after?: AddParser): Promise<FastifyInstance> {
  const app = fastify()
  test.teardown(() => app.close())
  await before?.(app)
  await app.register(modelwire, { models: [Note], dataSources: { db: memory() } })
  await app.register(rest, { prefix: '/api' })
  await after?.(app)
  app.post('/own', async ({ body }) => ({ body }))
  return app
}

async function create(app: FastifyInstance, payload: string | Buffer, headers = {}): Promise<unknown[]> {
  const request = { method: 'POST', url: '/api/Notes', headers: { 'content-type': type, ...headers }, payload } as const
  const answer = await app.inject(request)
  const { error, title, tags } = answer.json<{ error?: { code: string }; title?: string; tags?: string[] }>()
  return error === undefined ? [answer.statusCode, title, tags] : [answer.statusCode, error.code]
}

t.test('forms are read with brackets, as LoopBack reads them', async (t) => {
  t.strictSame(await create(await serve(t), 'title=%C3%A4+b&tags[]=x&tags[]=y'), [200, 'ä b', ['x', 'y']])
})

t.test('forms that cannot be read are refused with a code', async (t) => {
  const app = await serve(t)
  const malformed = Buffer.concat([Buffer.from('title='), Buffer.from([0xff])])
  t.strictSame(await create(app, malformed), [400, 'TEXT_NOT_WELL_FORMED'])
  t.strictSame(await create(app, gzipSync(malformed), { 'content-encoding': 'gzip' }), [400, 'TEXT_NOT_WELL_FORMED'])
  t.strictSame(await create(app, 'title=\ufffd'), [200, '\ufffd', undefined])
  t.strictSame(await create(app, '__proto__[a]=1'), [400, 'PROPERTY_NAME_REFUSED'])
  t.strictSame(await create(app, `title${'[a]'.repeat(40)}=1`), [400, 'LIMIT_EXCEEDED'])
  t.strictSame(await create(app, 'title=1', { 'content-type': `${type}; charset=latin1` }), [
    415,
    'MEDIA_TYPE_UNSUPPORTED'
  ])
  t.strictSame(await create(app, `title=${'x'.repeat(103_000)}`), [413, 'PAYLOAD_TOO_LARGE'])
})

t.test('compressed forms are inflated within the limit', async (t) => {
  const app = await serve(t)
  const bomb = Buffer.from(`title=${'x'.repeat(1_000_000)}`)
  for (const [encoding, compress] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
    const headers = { 'content-encoding': encoding }
    t.strictSame(await create(app, compress('title=a'), headers), [200, 'a', undefined], encoding)
    t.strictSame(await create(app, compress(bomb), headers), [413, 'PAYLOAD_TOO_LARGE'], encoding)
    t.strictSame(await create(app, 'title=a', headers), [400, 'BODY_ENCODING_INVALID'], encoding)
  }
  t.strictSame(await create(app, 'title=a', { 'content-encoding': 'bogus' }), [415, 'MEDIA_TYPE_UNSUPPORTED'])
})

const parsers: Readonly<Record<string, { add: AddParser; body: unknown }>> = {
  '@fastify/formbody': { add: (app) => app.register(formbody), body: { 'a[b]': '1' } },
  'a parser of its own': {
    add: (app) =>
      app.addContentTypeParser(type, { parseAs: 'string' }, async (_request: unknown, text: string) => text),
    body: 'a[b]=1'
  }
}

for (const [name, { add, body }] of Object.entries(parsers))
  t.test(`an application with ${name} keeps it for its own routes, and the API reads forms itself`, async (t) => {
    for (const app of [await serve(t, add), await serve(t, undefined, add)]) {
      t.strictSame(await create(app, 'title=a&tags[0]=x'), [200, 'a', ['x']])
      const own = await app.inject({
        method: 'POST',
        url: '/own',
        headers: { 'content-type': type },
        payload: 'a[b]=1'
      })
      t.strictSame(own.json(), { body })
    }
  })
