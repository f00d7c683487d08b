import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type TypedDefinition } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const note = defineModel(
  'Note',
  Type.Object({
    text: Type.String(),
    secret: Type.Optional(Type.String({ hidden: true })),
    tags: Type.Optional(Type.Array(Type.String()))
  }),
  { public: true }
)
const few = defineModel('Few', Type.Object({ text: Type.String() }), {
  public: true,
  lists: { limit: 1, maxLimit: 2, count: true, links: true }
})
const ranked = defineModel('Ranked', Type.Object({ rank: Type.Number(), secret: Type.Number({ hidden: true }) }), {
  public: true,
  scope: { order: 'secret' }
})

async function start(t: Test, options: RestOptions = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const models: TypedDefinition[] = [note, few, ranked]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', ...options })
  for (const text of ['a', 'b', 'c', 'd', 'e']) {
    await app.models.get('Note').create({ text, secret: text })
    await app.models.get('Few').create({ text })
    await app.models.get('Ranked').create({ rank: 1, secret: 10 - text.charCodeAt(0) })
  }
  return app
}

const query = (filter: object): string => `?filter=${encodeURIComponent(JSON.stringify(filter))}`

async function list(app: FastifyInstance, path: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: `/api/${path}`, headers })
  const { 'x-total-count': total, link, 'preference-applied': applied } = answer.headers
  const body: unknown = answer.json()
  const texts = Array.isArray(body) ? body.map((row: { text?: string }) => row.text).join('') : undefined
  return { status: answer.statusCode, texts, total, link: String(link ?? ''), applied, body, headers: answer.headers }
}

const codeOf = (body: unknown): unknown => (body as { error: { code: string } }).error.code // an error's body

void t.test('a list of a client that asks for nothing else has no header for it', async (t) => {
  const { total, link, applied, texts } = await list(await start(t), `Notes${query({ limit: 2 })}`)
  t.strictSame([texts, total, link, applied], ['ab', undefined, '', undefined])
})

void t.test('Prefer asks for the total and for links, which lead relative to the request', async (t) => {
  const app = await start(t)
  const path = `Notes${query({ limit: 2, where: { text: { neq: 'a' } } })}&access_token=x`
  const page = await list(app, path, { prefer: 'count=exact, links' })
  t.strictSame([page.texts, page.total, page.applied], ['bc', '4', 'count=exact, links'])
  t.match(page.link, /^<\?access_token=x&filter=[^>]*>; rel="next"$/)
  const next = new URL(/<([^>]*)>/.exec(page.link)?.[1] ?? '', `http://h/api/${path}`)
  const second = await list(app, `Notes${next.search}`, { prefer: 'links' })
  t.strictSame([second.texts, second.total], ['de', undefined])
  t.match(second.link, /rel="first", .*rel="prev"$/)
  t.match(page.headers['vary'], 'Prefer')
})

void t.test('scripts of other origins may read the headers', async (t) => {
  const app = await start(t)
  const { headers } = await list(app, `Notes${query({ limit: 2 })}`, {
    prefer: 'count=exact, links',
    origin: 'http://x'
  })
  t.equal(headers['access-control-expose-headers'], 'x-total-count, link')
})

void t.test('a model has its own page sizes, and tells totals and links without being asked', async (t) => {
  const app = await start(t, { lists: { limit: 4 } })
  const page = await list(app, 'Fews')
  t.strictSame([page.texts, page.total], ['a', '5'])
  t.match(page.link, /rel="next"/)
  t.equal((await list(app, `Fews${query({ limit: 2 })}`)).texts, 'ab')
  t.equal((await list(app, `Fews${query({ limit: 0 })}`)).texts, 'a')
  const refused = await list(app, `Fews${query({ limit: 3 })}`)
  t.strictSame([refused.status, codeOf(refused.body)], [400, 'LIMIT_EXCEEDED'])
  t.equal((await list(app, 'Notes')).texts, 'abcd', 'the option of the server')
  t.equal((await list(app, 'Notes?filter[limit]=5')).texts, 'abcde')
})

void t.test('what is no cursor of the list is refused', async (t) => {
  const app = await start(t)
  const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const filter of [
    { after: 'x' },
    { after: 5 },
    { after: cursor(null) },
    { after: cursor([1]) },
    { after: cursor({ text: 'a', id: 1 }) },
    { after: cursor({ id: { neq: 1 } }) },
    { before: cursor({}) },
    { after: cursor({ id: 1 }), before: cursor({ id: 3 }) },
    { order: 'tags', after: cursor({ tags: 'a', id: 1 }) },
    { order: 'text', after: cursor({ id: 1 }) }
  ]) {
    const refused = await list(app, `Notes${query(filter)}`)
    t.strictSame([refused.status, codeOf(refused.body)], [400, 'INVALID_CURSOR'], JSON.stringify(filter))
  }
  t.equal((await list(app, `Notes${query({ after: cursor({ id: 3 }) })}`)).texts, 'de')
  t.equal((await list(app, `Notes${query({ before: cursor({ id: 3 }), limit: 1 })}`)).texts, 'b')
})

void t.test('a cursor shows nothing that the client may not see', async (t) => {
  const app = await start(t)
  const page = await list(app, `Rankeds${query({ limit: 2 })}`, { prefer: 'links, count=exact' })
  t.strictSame([page.link, page.total], ['', '5'], 'an order by a hidden property has no cursors')
  const after = Buffer.from(JSON.stringify({ secret: 1, id: 1 })).toString('base64url')
  t.equal(codeOf((await list(app, `Rankeds${query({ after })}`)).body), 'INVALID_CURSOR')
  const hidden = await list(app, `Notes${query({ order: 'secret', after })}`)
  t.equal(codeOf(hidden.body), 'HIDDEN_PROPERTY_IN_FILTER')
})

void t.test('code pages in the same way', async (t) => {
  const app = await start(t)
  const after = Buffer.from(JSON.stringify({ text: 'b', id: 2 })).toString('base64url')
  const found = await app.models.get('Note').find({ order: 'text', after, limit: 2 })
  t.same(
    found.map((each) => each['text']),
    ['c', 'd']
  )
})
