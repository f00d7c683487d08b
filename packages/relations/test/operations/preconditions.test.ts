import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { makeApp } from '../make-app.ts'

const demanding = { optimisticLocking: { requireIfMatch: true }, public: true }

async function start(t: Test): Promise<FastifyInstance> {
  const { app } = await makeApp(t, [
    {
      name: 'Author',
      public: true,
      optimisticLocking: true,
      properties: { name: 'string' },
      relations: { notes: { type: 'hasMany', model: 'Note' }, cover: { type: 'hasOne', model: 'Cover' } }
    },
    { name: 'Note', ...demanding, properties: { text: 'string' } },
    { name: 'Cover', ...demanding, properties: { color: 'string' } }
  ])
  await app.models.get('Author').create({ name: 'Ann' })
  await app.models.get('Note').create({ text: 'first', authorId: 1 })
  await app.models.get('Cover').create({ color: 'red', authorId: 1 })
  return app
}

const etagOf = async (app: FastifyInstance, url: string): Promise<string> =>
  String((await app.inject(`/api${url}`)).headers.etag)

async function outcome(app: FastifyInstance, request: InjectOptions & { readonly url: string }): Promise<unknown> {
  const { statusCode, body } = await app.inject({ ...request, url: `/api${request.url}` })
  return statusCode < 400 ? statusCode : [statusCode, /"code":"(\w+)"/.exec(body)?.[1]]
}

void t.test('what shows more than the record itself has no tag', async (t) => {
  const app = await start(t)
  t.equal(await etagOf(app, '/Authors/1?filter={"include":"notes"}'), 'undefined')
  t.not(await etagOf(app, '/Authors/1'), 'undefined')
})

void t.test('related records of a model that demands If-Match are not changed without it', async (t) => {
  const app = await start(t)
  const changes = [
    { method: 'PUT', url: '/Authors/1/notes/1', payload: { text: 'x' } },
    { method: 'DELETE', url: '/Authors/1/notes/1' },
    { method: 'PUT', url: '/Authors/1/cover', payload: { color: 'x' } },
    { method: 'DELETE', url: '/Authors/1/cover' }
  ] as const
  for (const change of changes)
    t.strictSame(await outcome(app, change), [428, 'PRECONDITION_REQUIRED'], `${change.method} ${change.url}`)
})

void t.test('related records by their id have tags and heed If-Match', async (t) => {
  const app = await start(t)
  const etag = await etagOf(app, '/Authors/1/notes/1')
  t.equal(etag, await etagOf(app, '/Notes/1'))
  const change = (text: string) =>
    outcome(app, { method: 'PUT', url: '/Authors/1/notes/1', payload: { text }, headers: { 'if-match': etag } })
  t.equal(await change('second'), 200)
  t.strictSame(await change('third'), [412, 'PRECONDITION_FAILED'])
  t.equal((await app.models.get('Note').findById(1))?.['text'], 'second')
  const remove = { method: 'DELETE', url: '/Authors/1/notes/1', headers: { 'if-match': etag } } as const
  t.strictSame(await outcome(app, remove), [412, 'PRECONDITION_FAILED'])
  const single = {
    method: 'PUT',
    url: '/Authors/1/cover',
    payload: { color: 'x' },
    headers: { 'if-match': '*' }
  } as const
  t.strictSame(await outcome(app, single), [400, 'INVALID_ARGUMENT'], 'a path that names no id')
})
