import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type TypedDefinition } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const note = defineModel('Note', Type.Object({ text: Type.String() }), { public: true, optimisticLocking: true })

async function start(t: Test, options: RestOptions = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const models: TypedDefinition[] = [note]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', sharedMethods: { updateAll: true, deleteAll: true }, ...options })
  for (const text of ['a', 'b', 'c']) await app.models.get('Note').create({ text })
  return app
}

async function send(app: FastifyInstance, url: string, prefer?: string, request: InjectOptions = {}) {
  const headers = prefer === undefined ? {} : { prefer }
  const answer = await app.inject({ ...request, url: `/api/Notes${url}`, headers })
  const code = /"code":"(\w+)"/.exec(answer.body)?.[1]
  const applied = answer.headers['preference-applied']
  return { status: answer.statusCode, code, applied, body: answer.body, headers: answer.headers }
}

void t.test('return=minimal leaves the record out, and says where a new one is', async (t) => {
  const app = await start(t)
  const made = await send(app, '', 'return=minimal', { method: 'POST', payload: { text: 'd' } })
  t.strictSame([made.status, made.body, made.applied], [201, '', 'return=minimal'])
  t.equal(made.headers.location, '/api/Notes/4')
  t.match(made.headers.etag, /^"[^"]+"$/)
  const changed = await send(app, '/4', 'return=minimal', { method: 'PATCH', payload: { text: 'e' } })
  t.strictSame([changed.status, changed.body, changed.headers.location], [204, '', undefined])
  t.equal((await app.models.get('Note').findById(4))?.['text'], 'e')
  const several = await send(app, '', 'return=minimal', { method: 'POST', payload: [{ text: 'x' }, { text: 'y' }] })
  t.strictSame([several.status, several.headers.location], [201, undefined])
  const whole = await send(app, '', 'return=representation', { method: 'POST', payload: { text: 'f' } })
  t.strictSame([whole.status, whole.applied], [200, 'return=representation'])
  t.match(whole.body, '"text":"f"')
})

void t.test('createdStatus 201 says where the new record is', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const models: TypedDefinition[] = [note]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', createdStatus: 201 })
  const made = await send(app, '', undefined, { method: 'POST', payload: { text: 'd' } })
  t.strictSame([made.status, made.headers.location], [201, '/api/Notes/1'])
  t.match(made.body, '"text":"d"')
  const several = await send(app, '', undefined, { method: 'POST', payload: [{ text: 'x' }, { text: 'y' }] })
  t.strictSame([several.status, several.headers.location], [201, undefined])
  const changed = await send(app, '/1', undefined, { method: 'PATCH', payload: { text: 'e' } })
  t.strictSame([changed.status, changed.headers.location], [200, undefined])
})

void t.test('max-affected: nothing is changed where more records match', async (t) => {
  const app = await start(t)
  const remove = { method: 'DELETE' } as const
  t.match(await send(app, '', 'max-affected=2', remove), { status: 400, code: 'TOO_MANY_AFFECTED' })
  const change = { method: 'POST', payload: { text: 'z' } } as const
  t.match(await send(app, '/update', 'max-affected=0', change), { status: 400, code: 'TOO_MANY_AFFECTED' })
  t.equal(await app.models.get('Note').count({ text: 'z' }), 0)
  t.equal((await send(app, '/update', 'max-affected=3', change)).status, 200)
  t.equal((await send(app, '', undefined, remove)).status, 200)
  t.equal(await app.models.get('Note').count(), 0)
})

const filter = (value: object): string => `?filter=${encodeURIComponent(JSON.stringify(value))}`

const strange: readonly (readonly [string, string])[] = [
  ['?fitler={}', 'INVALID_ARGUMENT'],
  [filter({ were: {} }), 'INVALID_FILTER'],
  [filter({ where: { or: [{ text: 'a' }, { txet: 'a' }] } }), 'INVALID_FILTER'],
  [filter({ order: ['text', 'txet DESC'] }), 'INVALID_FILTER'],
  [filter({ fields: { txet: true } }), 'INVALID_FILTER'],
  ['/count?where={"txet":1}', 'INVALID_FILTER'],
  ['/1?filtre={}', 'INVALID_ARGUMENT']
]

void t.test('strict handling refuses what is not known, by preference or by option', async (t) => {
  const lenient = await start(t)
  const strict = await start(t, { handling: 'strict' })
  for (const [url, code] of strange) {
    t.equal((await send(lenient, url)).status, 200, url)
    t.match(await send(lenient, url, 'handling=strict'), { status: 400, code }, url)
    t.match(await send(strict, url), { status: 400, code }, url)
    t.match(await send(strict, url, 'handling=lenient'), { status: 400, code }, 'a client cannot switch the option off')
  }
  const known = filter({ where: { and: [{ text: 'a' }] }, order: 'text', fields: ['id'], limit: 1 })
  t.equal((await send(strict, `${known}&access_token=x`)).status, 200)
  const unknownHere = await send(strict, '?x=1', undefined, { method: 'POST', payload: { text: 'q' } })
  t.equal(unknownHere.code, 'INVALID_ARGUMENT')
})

void t.test('preferences that are not known are ignored, or refused by strict handling', async (t) => {
  const app = await start(t)
  t.equal((await send(app, '', 'wait=10, count=planned')).status, 200)
  const refused = await send(app, '', 'handling=strict, wait=10')
  t.match(refused, { status: 400, code: 'INVALID_ARGUMENT' })
  t.match(refused.body, 'wait=10')
})
