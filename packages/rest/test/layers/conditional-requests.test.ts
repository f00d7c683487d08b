import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type TypedDefinition } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const author = defineModel('Author', Type.Object({ name: Type.String() }), {
  public: true,
  optimisticLocking: true
})
const note = defineModel('Note', Type.Object({ text: Type.String() }), {
  public: true,
  optimisticLocking: { property: 'revision', requireIfMatch: true }
})
const plain = defineModel('Plain', Type.Object({ name: Type.String() }), { public: true })

async function start(t: Test, options: RestOptions = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const models: TypedDefinition[] = [author, note, plain]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', ...options })
  await app.models.get('Author').create({ name: 'Ann' })
  await app.models.get('Note').create({ text: 'first' })
  await app.models.get('Plain').create({ name: 'x' })
  return app
}

const etagOf = async (app: FastifyInstance, url: string, headers = {}): Promise<string> =>
  String((await app.inject({ url: `/api${url}`, headers })).headers.etag)

async function outcome(app: FastifyInstance, request: InjectOptions): Promise<unknown> {
  const answer = await app.inject({ ...request, url: `/api${String(request.url)}` })
  const text = answer.body
  return answer.statusCode < 400 ? answer.statusCode : [answer.statusCode, /"code":"(\w+)"/.exec(text)?.[1]]
}

void t.test('a record without optimisticLocking has no tag, and conditions of requests are not read', async (t) => {
  const app = await start(t)
  const answer = await app.inject('/api/Plains/1')
  t.equal(answer.headers.etag, undefined)
  t.strictSame(answer.json(), { id: 1, name: 'x' })
  const headers = { 'if-match': '"other"' }
  t.equal(await outcome(app, { method: 'PATCH', url: '/Plains/1', payload: { name: 'y' }, headers }), 200)
})

void t.test('a client that has the record already gets 304 without a body', async (t) => {
  const app = await start(t)
  const etag = await etagOf(app, '/Authors/1')
  const again = await app.inject({ url: '/api/Authors/1', headers: { 'if-none-match': `W/${etag}` } })
  t.strictSame([again.statusCode, again.body, again.headers.etag], [304, '', etag])
  t.equal(again.headers['content-type'], undefined)
  await app.inject({ method: 'PATCH', url: '/api/Authors/1', payload: { name: 'Bob' } })
  t.equal(await outcome(app, { url: '/Authors/1', headers: { 'if-none-match': etag } }), 200)
  t.strictSame(await outcome(app, { url: '/Authors/1', headers: { 'if-none-match': 'x' } }), [400, 'INVALID_ARGUMENT'])
})

void t.test('what is not one record by its id has no tag', async (t) => {
  const app = await start(t)
  t.equal(await etagOf(app, '/Authors'), 'undefined')
  t.equal(await etagOf(app, '/Authors/findOne'), 'undefined')
})

void t.test('XML has a tag of its own, which names the same version', async (t) => {
  const app = await start(t, { answersXml: true })
  const json = await etagOf(app, '/Authors/1')
  const xml = await etagOf(app, '/Authors/1', { accept: 'application/xml' })
  t.not(xml, json)
  const headers = { 'if-match': xml }
  t.equal(await outcome(app, { method: 'PATCH', url: '/Authors/1', payload: { name: 'Bob' }, headers }), 200)
})

void t.test('a model that demands If-Match refuses changes by id without it', async (t) => {
  const app = await start(t)
  const changes: readonly (readonly ['PATCH' | 'PUT' | 'DELETE', string, object?])[] = [
    ['PATCH', '/Notes/1', { text: 'x' }],
    ['PUT', '/Notes/1', { text: 'x' }],
    ['PATCH', '/Notes', { id: 1, text: 'x' }],
    ['PUT', '/Notes', { id: 1, text: 'x' }],
    ['DELETE', '/Notes/1']
  ]
  for (const [method, url, payload] of changes)
    t.strictSame(
      await outcome(app, { method, url, ...(payload && { payload }) }),
      [428, 'PRECONDITION_REQUIRED'],
      `${method} ${url}`
    )
  t.equal(await outcome(app, { method: 'POST', url: '/Notes', payload: { text: 'new' } }), 200, 'creates without it')
  t.equal(
    await outcome(app, { method: 'PATCH', url: '/Notes/1', payload: { text: 'y' }, headers: { 'if-match': '*' } }),
    200
  )
  t.equal((await app.models.get('Note').findById(1))?.['text'], 'y')
})

void t.test('clients do not set the version, and may send back the one they read', async (t) => {
  const app = await start(t)
  const record = (await app.inject('/api/Authors/1')).json<Record<string, unknown>>()
  t.equal(await outcome(app, { method: 'PUT', url: '/Authors/1', payload: { ...record, name: 'Bob' } }), 200)
  t.strictSame(await outcome(app, { method: 'PUT', url: '/Authors/1', payload: { ...record, name: 'Eve' } }), [
    422,
    'VALIDATION_FAILED'
  ])
  t.strictSame(await outcome(app, { method: 'POST', url: '/Authors', payload: { name: 'x', version: 'mine' } }), [
    422,
    'VALIDATION_FAILED'
  ])
})

void t.test('If-None-Match on a change refuses a record that has this version', async (t) => {
  const app = await start(t)
  const change = (header: string) =>
    outcome(app, { method: 'PATCH', url: '/Authors/1', payload: { name: 'x' }, headers: { 'if-none-match': header } })
  t.strictSame(await change('*'), [412, 'PRECONDITION_FAILED'])
  t.strictSame(await change(await etagOf(app, '/Authors/1')), [412, 'PRECONDITION_FAILED'])
  t.equal(await change('"other"'), 200)
  const upsert = {
    method: 'PUT',
    url: '/Authors',
    payload: { id: 1, name: 'x' },
    headers: { 'if-none-match': '*' }
  } as const
  t.strictSame(await outcome(app, upsert), [400, 'INVALID_ARGUMENT'])
})

void t.test('lists have weak tags where listETags is set', async (t) => {
  const app = await start(t, { listETags: true })
  const etag = await etagOf(app, '/Plains')
  t.match(etag, /^W\//)
  const again = await app.inject({ url: '/api/Plains', headers: { 'if-none-match': etag } })
  t.strictSame([again.statusCode, again.body, again.headers.etag], [304, '', etag])
  await app.inject({ method: 'POST', url: '/api/Plains', payload: { name: 'y' } })
  const changed = await app.inject({ url: '/api/Plains', headers: { 'if-none-match': etag } })
  t.equal(changed.statusCode, 200)
  t.not(changed.headers.etag, etag)
  t.equal(await etagOf(app, '/Plains/1'), 'undefined')
})
