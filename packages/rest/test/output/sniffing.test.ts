import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'
import { openEvents } from '../layers/streams/open-events.ts'

const models = [
  {
    name: 'Note',
    public: true,
    properties: { text: { type: 'string', required: true } },
    methods: {
      file: { http: { verb: 'get' }, returns: { arg: 'file', type: 'file', root: true } },
      text: { http: { verb: 'get' }, returns: { arg: 'text', type: 'string' } }
    }
  }
] as const

async function start(t: Test): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory({ transactions: true }) }, models: [...models] })
  Object.assign(app.models.get('Note'), { file: async () => Buffer.from('<b>'), text: async () => '<b>' })
  await app.register(rest, { prefix: '/api', batch: true, idempotency: true, answersXml: true })
  await app.models.get('Note').create([{ text: '<b>1' }, { text: '<b>2' }])
  return app
}

const json = { 'content-type': 'application/json' }
const note = { payload: { text: '<b>' }, headers: { 'idempotency-key': 'a' } }
const batch = { requests: [{ method: 'GET', url: '/Notes' }] }

const requests: readonly (InjectOptions & { readonly url: string })[] = [
  { url: '/Notes' },
  { url: '/Notes/1' },
  { url: '/Notes', headers: { accept: 'application/xml' } },
  { url: '/Notes?callback=x', headers: { accept: 'application/javascript' } },
  { url: '/Notes', headers: { accept: 'image/png' } },
  { url: '/Notes/text' },
  { url: '/Notes/file' },
  { url: '/Notes/9' },
  { url: '/Nothing<b>' },
  { url: '/Notes?filter={"where":1}' },
  { method: 'POST', url: '/Notes/1' },
  { method: 'POST', url: '/Notes', payload: {} },
  { method: 'POST', url: '/Notes', payload: '{', headers: json },
  { method: 'POST', url: '/Notes', payload: '<b>', headers: { 'content-type': 'text/html' } },
  { method: 'POST', url: '/Notes', ...note },
  { method: 'POST', url: '/Notes', ...note },
  { method: 'POST', url: '/batch', payload: batch },
  { method: 'POST', url: '/batch', payload: { requests: 1 } },
  { method: 'POST', url: '/batch', payload: batch, headers: { 'idempotency-key': 'b' } },
  { method: 'POST', url: '/batch', payload: batch, headers: { 'idempotency-key': 'b' } },
  { method: 'POST', url: '/Notes/bulk', payload: { create: [{ text: '<b>' }] } }
]

void t.test('no answer with a body is sniffed for a type by browsers', async (t) => {
  const app = await start(t)
  for (const { url, ...others } of requests) {
    const { statusCode, headers, body } = await app.inject({ ...others, url: `/api${url}` })
    const name = `${others.method ?? 'GET'} ${url} ${statusCode}`
    t.ok(body.length > 0, name)
    t.equal(headers['x-content-type-options'], 'nosniff', name)
  }
})

void t.test('nor is a change stream', async (t) => {
  const app = await start(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await openEvents(app, '/api/Notes/change-stream')
  t.match(stream.response, { statusCode: 200, headers: { 'x-content-type-options': 'nosniff' } })
  stream.close()
})
