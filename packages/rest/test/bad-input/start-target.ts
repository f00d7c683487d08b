import { memory } from '@modelwire/connector-memory'
import { type CoreOptions, modelwire, type ModelDefinition } from '@modelwire/core'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type t from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

type Test = Pick<typeof t, 'teardown' | 'ok' | 'equal' | 'strictSame'>

/** A property of every type. */
const thing: ModelDefinition = {
  name: 'Thing',
  public: true,
  hidden: ['secret'],
  properties: {
    text: 'string',
    words: 'text',
    number: 'number',
    whole: 'integer',
    flag: 'boolean',
    at: 'date',
    day: 'dateString',
    bytes: 'buffer',
    place: 'geopoint',
    object: 'object',
    anything: 'any',
    texts: ['string'],
    numbers: ['number'],
    dates: ['date'],
    flags: ['boolean'],
    list: 'array',
    nested: { x: 'number', y: { z: 'date' } },
    parts: [{ n: 'number' }],
    secret: 'string'
  }
}

/** A server with one record that must stay as it is. */
export async function startTarget(
  test: Test,
  options: RestOptions = {},
  core: CoreOptions = {}
): Promise<FastifyInstance> {
  const app = fastify()
  test.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [thing], ...core })
  await app.register(rest, { prefix: '/api', answersXml: true, sharedMethods: { updateAll: true }, ...options })
  await app.models.get('Thing').create({ text: 'first', number: 1, texts: ['a'], secret: 's' })
  return app
}

/** A request that must be refused, with what makes it bad. */
export type Attack = InjectOptions & { readonly title: string; readonly status?: number }

const namesOfPrototype = () => Object.getOwnPropertyNames(Object.prototype).join()

/** Checks that a request was answered by an error of the client with a code. */
async function checkRefused(test: Test, app: FastifyInstance, { title, status, ...request }: Attack): Promise<void> {
  const answer = await app.inject(request)
  test.ok(
    answer.statusCode >= 400 && answer.statusCode < 500,
    `${title}: ${answer.statusCode} ${answer.body.slice(0, 80)}`
  )
  if (status !== undefined) test.equal(answer.statusCode, status, title)
  if (request.method === 'HEAD') return
  const { error, code } = answer.json<{ error: { code?: string }; code?: string }>()
  test.equal(typeof (code ?? error.code), 'string', `${title}: ${answer.body.slice(0, 80)}`)
}

/** Sends all requests: each must be refused, and none may store anything or reach a prototype. */
export async function refuseAll(test: Test, app: FastifyInstance, attacks: readonly Attack[]): Promise<void> {
  const Thing = app.models.get('Thing')
  const [stored, names] = [await Thing.find(), namesOfPrototype()]
  for (const attack of attacks) await checkRefused(test, app, attack)
  test.strictSame(await Thing.find(), stored, 'nothing is stored')
  test.equal(namesOfPrototype(), names, 'no prototype is changed')
}

/** Every route that takes a record. */
export const writes: readonly InjectOptions[] = [
  { method: 'POST', url: '/api/Things' },
  { method: 'PUT', url: '/api/Things' },
  { method: 'PATCH', url: '/api/Things' },
  { method: 'PUT', url: '/api/Things/1' },
  { method: 'PATCH', url: '/api/Things/1' },
  { method: 'POST', url: '/api/Things/1/replace' },
  { method: 'POST', url: '/api/Things/replaceOrCreate' },
  { method: 'POST', url: '/api/Things/update?where={"id":1}' },
  { method: 'POST', url: '/api/Things/upsertWithWhere?where={"id":1}' }
]

/** The same body sent to every route that takes one. */
export function bodyAttacks(title: string, payload: string, type = 'application/json', status?: number): Attack[] {
  return writes.map((write) => ({
    ...write,
    title: `${String(write.method)} ${String(write.url)} ${title}`,
    headers: { 'content-type': type },
    payload,
    ...(status === undefined ? {} : { status })
  }))
}

/** A filter sent to every route that takes one, and its `where` to every route that takes that. */
export function filterAttacks(filter: string): Attack[] {
  const where = /^\{"where":(.*)\}$/.exec(filter)?.[1]
  const encoded = encodeURIComponent(filter)
  const whole = ['/api/Things', '/api/Things/findOne', '/api/Things/1'].map((url) => `${url}?filter=${encoded}`)
  const partial = ['count', 'update', 'upsertWithWhere'].map(
    (name) => `/api/Things/${name}?where=${encodeURIComponent(where ?? '')}`
  )
  // `GET /:id` reads `fields` and `include` alone.
  const urls = where === undefined ? whole : [...whole.slice(0, 2), ...partial]
  return urls.map((url) => ({ ...requestTo(url), title: `${url.split('?', 1)[0] ?? ''} ${filter.slice(0, 60)}` }))
}

function requestTo(url: string): InjectOptions {
  if (!/update|upsert/.test(url)) return { method: 'GET', url }
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: '{"text":"x"}' }
}
