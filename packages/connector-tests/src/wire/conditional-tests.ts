import { modelwire, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'

const models: readonly ModelDefinition[] = [
  {
    name: 'Versioned',
    public: true,
    forceId: false,
    optimisticLocking: true,
    properties: { id: { type: 'number', id: true }, name: { type: 'string', required: true }, count: 'number' }
  }
]

async function start(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models })
  await connector.migrate?.([app.models.typeOf('Versioned')], { empty: true })
  await app.register(rest, { prefix: '/api', sharedMethods: { updateAll: true } })
  return app
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const sender =
  (app: FastifyInstance) =>
  async (method: Method, path: string, payload?: object, headers: Record<string, string> = {}) => {
    const answer = await app.inject({
      method,
      url: `/api/Versioneds${path}`,
      headers,
      ...(payload === undefined ? {} : { payload })
    })
    const { etag } = answer.headers
    return { status: answer.statusCode, etag: typeof etag === 'string' ? etag : '', body: answer.body }
  }

/** Counts of the statuses of answers. */
function tally(answers: readonly { readonly status: number }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Every write renews the version, and its answer has the entity tag that a read then has. */
async function checkRenewal(t: Test, send: ReturnType<typeof sender>): Promise<void> {
  const seen = [(await send('POST', '', { id: 1, name: 'a', count: 1 })).etag]
  const writes: readonly (readonly [Method, string, object])[] = [
    ['PATCH', '/1', { count: 2 }],
    ['PUT', '/1', { name: 'b' }],
    ['PATCH', '', { id: 1, count: 3 }],
    ['PUT', '', { id: 1, name: 'c' }],
    ['POST', '/1/replace', { name: 'd' }],
    ['POST', '/upsertWithWhere?where={"name":"d"}', { name: 'e' }]
  ]
  for (const [method, path, data] of writes) {
    const written = await send(method, path, data)
    const read = await send('GET', '/1')
    t.equal(written.status, 200, `${method} ${path}: ${written.body}`)
    t.ok(read.etag !== '' && !seen.includes(read.etag), `${method} ${path} renews the version`)
    if (!path.startsWith('/upsert')) t.equal(written.etag, read.etag, `${method} ${path} answers the new version`)
    seen.push(read.etag)
  }
  await send('POST', '/update?where={"id":1}', { count: 9 })
  const last = await send('GET', '/1')
  t.notOk(seen.includes(last.etag), 'an update of many renews versions')
  t.equal((await send('GET', '/1', undefined, { 'if-none-match': `"x", ${last.etag}` })).status, 304)
  t.equal((await send('GET', '/1', undefined, { 'if-none-match': seen[0] ?? '' })).status, 200)
}

/** Of many changes of one version one succeeds, and the others change nothing. */
async function checkRace(t: Test, send: ReturnType<typeof sender>, attempts: number): Promise<void> {
  const { etag } = await send('POST', '', { id: 2, name: 'a', count: 0 })
  const change = (index: number) => send('PATCH', '/2', { count: index + 1 }, { 'if-match': etag })
  const answers = await Promise.all(Array.from({ length: attempts }, (_, index) => change(index)))
  t.strictSame(tally(answers), { 200: 1, 412: attempts - 1 })
  const winner = answers.findIndex(({ status }) => status === 200)
  const after = await send('GET', '/2')
  t.match(after.body, `"count":${winner + 1}`)
  t.equal(after.etag, answers[winner]?.etag, 'the answer of the change has the tag of what is stored')
}

async function checkRefusals(t: Test, send: ReturnType<typeof sender>): Promise<void> {
  const old = (await send('POST', '', { id: 3, name: 'a' })).etag
  const { etag } = await send('PATCH', '/3', { name: 'b' })
  const stale: readonly (readonly [Method, string, object?])[] = [
    ['PATCH', '/3', { name: 'x' }],
    ['PUT', '/3', { name: 'x' }],
    ['PATCH', '', { id: 3, name: 'x' }],
    ['PUT', '', { id: 3, name: 'x' }],
    ['DELETE', '/3']
  ]
  for (const [method, path, data] of stale) {
    const { status, body } = await send(method, path, data, { 'if-match': old })
    t.strictSame([status, /"code":"PRECONDITION_FAILED"/.test(body)], [412, true], `${method} ${path}`)
  }
  t.match((await send('GET', '/3')).body, '"name":"b"', 'nothing has changed')
  t.equal((await send('PATCH', '/99', { name: 'x' }, { 'if-match': old })).status, 404)
  t.equal((await send('PUT', '', { id: 99, name: 'x' }, { 'if-match': '*' })).status, 412)
  t.equal((await send('PATCH', '/3', { name: 'x' }, { 'if-match': `W/${etag}` })).status, 412, 'weak tags do not match')
  t.equal((await send('DELETE', '/3', undefined, { 'if-match': etag })).status, 200)
  const again = (await send('POST', '', { id: 3, name: 'a' })).etag
  t.equal((await send('PATCH', '/3', { name: 'x' }, { 'if-match': etag })).status, 412, 'another record of this id')
  t.not(again, old)
}

/**
 * Conditional requests on a connector, whose database nothing else uses: every write renews the version of a record, a change of
 * another version is refused, and of many changes of one version one succeeds.
 */
export async function conditionalTests(t: Test, connector: Connector, attempts = 100): Promise<void> {
  const send = sender(await start(t, connector))
  await t.test('every write renews the version', async (t) => checkRenewal(t, send))
  await t.test(`of ${attempts} changes of one version one succeeds`, async (t) => checkRace(t, send, attempts))
  await t.test('a change of another version changes nothing', async (t) => checkRefusals(t, send))
}
