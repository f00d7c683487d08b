import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type TypedDefinition } from '@modelwire/core'
import { type TSchema, Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const note = Type.Object({ text: Type.String(), done: Type.Optional(Type.Boolean()) })
const open = Type.Object({ ...note.properties }, { additionalProperties: true })

async function start(t: Test, model: TypedDefinition): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [model] })
  await app.register(rest, { prefix: '/api', sharedMethods: { updateAll: true } })
  await app.models.get('Note').create({ text: 'first' })
  return app
}

const writes: readonly (readonly ['POST' | 'PUT' | 'PATCH', url: string, id?: number])[] = [
  ['POST', ''],
  ['PUT', '', 1],
  ['PUT', '', 2],
  ['PATCH', '', 1],
  ['PATCH', '', 2],
  ['PATCH', ''],
  ['PUT', '/1'],
  ['PATCH', '/1'],
  ['POST', '/1/replace'],
  ['POST', '/replaceOrCreate', 1],
  ['POST', '/update?where={"id":1}'],
  ['POST', '/upsertWithWhere?where={"id":1}'],
  ['POST', '/upsertWithWhere?where={"id":2}']
]
const bodies: Readonly<Record<string, (data: Record<string, unknown>) => string>> = {
  'application/json': (data) => JSON.stringify(data),
  'application/x-www-form-urlencoded': (data) =>
    Object.entries(data)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join('&'),
  'application/xml': (data) =>
    `<note>${Object.entries(data)
      .map(([name, value]) => `<${name}>${String(value)}</${name}>`)
      .join('')}</note>`
}

for (const forceId of [true, false])
  for (const [type, write] of Object.entries(bodies)) {
    void t.test(`${type} with an undeclared property is refused by its name, forceId ${forceId}`, async (t) => {
      const app = await start(t, defineModel('Note', note, { public: true, forceId }))
      // No client makes a record with an id of its own where the database makes ids.
      for (const [method, url, id] of writes.filter((one) => !forceId || one[2] !== 2)) {
        const payload = write({ ...(id === undefined ? {} : { id }), text: 'x', admin: true })
        const answer = await app.inject({ method, url: `/api/Notes${url}`, headers: { 'content-type': type }, payload })
        const label = `${method} ${url} ${id}`
        t.equal(answer.statusCode, 422, label)
        const error = { code: 'VALIDATION_FAILED', message: /admin is not defined/ }
        t.match(answer.json(), { error: { ...error, details: { codes: { admin: ['unknown-property'] } } } }, label)
      }
      t.match(await app.models.get('Note').find(), [{ text: 'first', id: 1 }])
      t.equal(await app.models.get('Note').count(), 1)
    })
  }

const place = Type.Object({ town: Type.String() })
const nested: Readonly<Record<string, readonly [schema: TSchema, fine: unknown, refused: unknown]>> = {
  object: [place, { town: 'x' }, { town: 'x', admin: true }],
  'object in an object': [Type.Object({ at: place }), { at: { town: 'x' } }, { at: { town: 'x', admin: true } }],
  list: [Type.Array(place), [{ town: 'x' }], [{ town: 'x' }, { town: 'x', admin: true }]],
  'one of several': [Type.Union([place, Type.String()]), { town: 'x' }, { town: 'x', admin: true }],
  tuple: [Type.Tuple([place, Type.Number()]), [{ town: 'x' }, 1], [{ town: 'x', admin: true }, 1]],
  record: [Type.Record(Type.String(), place), { a: { town: 'x' } }, { a: { town: 'x', admin: true } }],
  'object or null': [Type.Union([place, Type.Null()]), null, { town: 'x', admin: true }],
  intersection: [Type.Intersect([place, Type.Object({ zip: Type.Number() })]), { town: 'x', zip: 1 }, { town: 'x' }],
  'open object': [Type.Object({}, { additionalProperties: true }), { admin: true }, 5]
}

for (const [name, [schema, fine, refused]] of Object.entries(nested)) {
  void t.test(`what is not declared inside of values is refused: ${name}`, async (t) => {
    const app = await start(
      t,
      defineModel('Note', Type.Object({ text: Type.String(), value: Type.Optional(schema) }), { public: true })
    )
    const status = async (value: unknown, method: 'POST' | 'PATCH', url: string): Promise<number> =>
      (await app.inject({ method, url, payload: { text: 'x', value } })).statusCode
    t.equal(await status(fine, 'POST', '/api/Notes'), 200)
    for (const [method, url] of [
      ['POST', '/api/Notes'],
      ['PATCH', '/api/Notes/1']
    ] as const)
      t.ok([400, 422].includes(await status(refused, method, url)), `${method} ${url}`)
  })
}

void t.test('values of a model that is not strict take what their schema leaves open', async (t) => {
  const schema = Type.Object({ ...note.properties, place: Type.Optional(place) })
  const app = await start(t, defineModel('Note', schema, { public: true, strict: false }))
  const payload = { place: { town: 'x', admin: true } }
  t.match((await app.inject({ method: 'PATCH', url: '/api/Notes/1', payload })).json(), payload)
})

void t.test('a list is refused as a whole', async (t) => {
  const app = await start(t, defineModel('Note', note, { public: true }))
  const payload = [{ text: 'a' }, { text: 'b', admin: true }]
  const answer = await app.inject({ method: 'POST', url: '/api/Notes', payload })
  t.equal(answer.statusCode, 422)
  t.match(answer.json(), { error: { details: [null, { details: { codes: { admin: ['unknown-property'] } } }] } })
  t.equal(await app.models.get('Note').count(), 1)
})

for (const model of [
  defineModel('Note', open, { public: true }),
  defineModel('Note', note, { public: true, strict: false })
]) {
  void t.test(`a model may take what it does not declare (strict: ${String(model.strict)})`, async (t) => {
    const app = await start(t, model)
    for (const [method, url, id] of writes.filter((write) => write[2] !== 2)) {
      const payload = { ...(id === undefined ? {} : { id }), text: 'x', colour: 'red' }
      const answer = await app.inject({ method, url: `/api/Notes${url}`, payload })
      t.equal(answer.statusCode, 200, `${method} ${url}`)
    }
    t.match(await app.models.get('Note').findById(1), { colour: 'red' })
  })
}

void t.test('what changes many records has no route unless it is shared by its name', async (t) => {
  const models = [
    defineModel('Note', note, { public: true }),
    defineModel('Memo', note, { public: true, remoting: { sharedMethods: { updateAll: true } } })
  ]
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api' })
  for (const name of ['Note', 'Memo']) await app.models.get(name).create({ text: 'first' })
  const update = (url: string) => app.inject({ method: 'POST', url, payload: { text: 'x' } })
  t.equal((await update('/api/Notes/update')).statusCode, 404)
  t.match((await update('/api/Memos/update')).json(), { count: 1 })
  t.match(await app.models.get('Note').find(), [{ text: 'first' }])
})
