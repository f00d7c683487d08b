import { postgresql } from '@modelwire/connector-postgresql'
import { type OwnServer, runOn, startOwnServer, startStandby } from '@modelwire/connector-tests/postgresql'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { takeTime, until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'

const maxLag = 400
const readAfterWrite = 600

/** A view that says which server reads it, under the names of two models, and notes to write. */
const statements = [
  'create view place as select 1 as id, pg_is_in_recovery() as copy',
  'create view secret as select 1 as id, pg_is_in_recovery() as copy',
  'create table note (id serial primary key, text text)'
]

const properties = { id: { type: 'number', id: true, generated: true } } as const
const whereAmI = { strict: true, public: true, properties: { ...properties, copy: 'boolean' } } as const

async function serve(t: Test, primary: OwnServer, standby: OwnServer): Promise<FastifyInstance> {
  const connector = postgresql({
    url: primary.url,
    statementTimeout: 5000,
    replicas: { url: standby.url, maxLag, readAfterWrite }
  })
  const app = Fastify()
  await app.register(modelwire, {
    dataSources: { db: connector },
    models: {
      Place: { name: 'Place', ...whereAmI },
      Secret: { name: 'Secret', ...whereAmI },
      Note: { name: 'Note', strict: true, public: true, properties: { ...properties, text: 'string' } }
    }
  })
  app.models.accessModels.add('Secret')
  await app.register(rest, { prefix: '/api' })
  t.teardown(() => app.close())
  return app
}

interface Reader {
  readonly app: FastifyInstance
  readonly path?: string
  readonly from?: string
  readonly headers?: Record<string, string>
}

/** Which server answers a list: `copy`, `primary`, or a status that is none of success. */
async function ask({ app, path = '/api/Places', from = '10.0.0.1', headers = {} }: Reader): Promise<string> {
  const answer = await app.inject({ url: path, remoteAddress: from, headers })
  if (answer.statusCode !== 200) return String(answer.statusCode)
  return answer.json<{ copy: boolean }[]>()[0]?.copy === true ? 'copy' : 'primary'
}

const untilCopy = async (app: FastifyInstance): Promise<void> => {
  await until(async () => (await ask({ app })) === 'copy', 'a replica to answer', 10_000)
}

async function checkPlaces(t: Test, app: FastifyInstance): Promise<void> {
  await untilCopy(app)
  t.equal(await ask({ app, path: '/api/Secrets' }), 'primary', 'what decides who may do what')
  t.equal(await ask({ app, headers: { 'cache-control': 'no-cache' } }), 'primary', 'a client that asks for it')
  const Place = app.models.get('Place')
  t.match(await Place.find(), [{ copy: false }], 'code outside of requests')
  t.match(await app.models.readFromReplicas(async () => Place.find()), [{ copy: true }], 'code that says so')
  const written = await app.models.readFromReplicas(async () => {
    await app.models.get('Note').create({ text: 'a' })
    return Place.find()
  })
  t.match(written, [{ copy: false }], 'until it writes')
  const joined = await app.models.readFromReplicas(async () => app.models.transaction(async () => Place.find()))
  t.match(joined, [{ copy: false }], 'transactions')
}

async function checkWriter(t: Test, app: FastifyInstance): Promise<void> {
  const payload = { text: 'b' }
  const answer = await app.inject({ method: 'POST', url: '/api/Notes', payload, remoteAddress: '10.0.0.9' })
  const sent = performance.now()
  t.match(answer.headers['set-cookie'], /^modelwire_wrote=1; Max-Age=1; Path=\/; HttpOnly; SameSite=Lax$/)
  t.equal(await ask({ app, from: '10.0.0.9' }), 'primary', 'a client that wrote')
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
  t.equal(await ask({ app, from: '10.0.0.8', headers: { cookie } }), 'primary', 'by its cookie, elsewhere')
  t.equal(await ask({ app, from: '10.0.0.8' }), 'copy', 'others do not wait')
  await until(async () => (await ask({ app, from: '10.0.0.9' })) === 'copy', 'the time after a write to be over')
  t.ok(performance.now() - sent >= readAfterWrite - 50)
}

/** Reads of others are never older than the bound, while a replica stands still. */
async function checkLag(t: Test, app: FastifyInstance, standby: OwnServer): Promise<void> {
  await untilCopy(app)
  await runOn(standby.url, 'select pg_wal_replay_pause()')
  await app.models.get('Note').create({ text: 'late' })
  const written = performance.now()
  await until(async () => (await ask({ app })) === 'primary', 'the replica to be left alone')
  t.ok(performance.now() - written < maxLag + 1000, 'it is left alone in time')
  const found = await app.inject({ url: '/api/Notes/count?where[text]=late', remoteAddress: '10.0.0.7' })
  t.same(found.json(), { count: 1 })
  await runOn(standby.url, 'select pg_wal_replay_resume()')
  await untilCopy(app)
}

void t.test('reads of clients are answered by a standby that is current', { timeout: 90_000 }, async (t) => {
  const primary = await startOwnServer()
  t.teardown(() => primary.stop())
  await runOn(primary.url, ...statements)
  const standby = await startStandby(primary)
  t.teardown(() => standby.stop())
  const app = await serve(t, primary, standby)
  await app.ready()
  await checkPlaces(t, app)
  await checkWriter(t, app)
  await checkLag(t, app, standby)
  await standby.kill()
  const answers = new Set<string>()
  for (let at = 0; at < 20; at++) answers.add(await ask({ app }))
  t.same([...answers], ['primary'], 'reads go on while the replica is away')
  await standby.restart()
  await untilCopy(app)
  await primary.kill()
  await takeTime(3 * maxLag, 'the bound of lag to be over')
  t.equal(await ask({ app }), 'copy', 'and while the primary is away')
  const refused = await app.inject({ method: 'POST', url: '/api/Notes', payload: { text: 'c' } })
  t.match(refused.json(), { error: { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' } })
})
