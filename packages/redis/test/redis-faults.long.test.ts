import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { oauth2 } from '@modelwire/oauth2'
import { rest } from '@modelwire/rest'
import { until } from '@modelwire/test-waits'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { redisState } from '#src/index.ts'
import { type OwnRedis, startRedis, whyNoRedisServer } from './redis-server.ts'

const skip = whyNoRedisServer()

/** Milliseconds that Redis may take: more on a slow machine, where one that came late would be counted by the process. */
const answerTime = Math.round(300 * Number(process.env['TEST_TIME_SCALE'] ?? 1))

interface Served {
  readonly app: FastifyInstance
  /** Messages of warnings. */
  readonly warnings: string[]
}

async function serve(t: Test, { url }: Pick<OwnRedis, 'url'>): Promise<Served> {
  const warnings: string[] = []
  const write = (line: string): void => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    if (level === 40) warnings.push(msg)
  }
  const app = Fastify({ logger: { level: 'warn', stream: { write } } })
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: memory() },
    sharedState: redisState({ url, prefix: 'test:', timeout: answerTime }),
    models: [
      {
        name: 'Note',
        public: true,
        properties: { text: 'string' },
        acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }]
      }
    ]
  })
  await app.register(acl)
  await app.register(users, { tokenCacheAge: 3600 })
  app.models.define({ name: 'Member', base: 'User', public: true, saltWorkFactor: 4, properties: {} })
  app.models.attach('Member', 'db')
  await app.register(oauth2, { userModel: 'Member', session: { secret: 'of more than thirty-two signs, for cookies' } })
  await app.register(rest, { prefix: '/api', idempotency: true })
  await app.ready()
  return { app, warnings }
}

const credentials = { email: 'ann@shop.org', password: 'secret' }

const login = async (app: FastifyInstance, password = 'secret', remoteAddress = '10.0.0.1') =>
  app.inject({ method: 'POST', url: '/api/Members/login', remoteAddress, payload: { ...credentials, password } })

/** Statuses of so many wrong passwords. */
async function guess(app: FastifyInstance, times: number, remoteAddress: string): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < times; at++) statuses.push((await login(app, 'wrong', remoteAddress)).statusCode)
  return statuses
}

const post = async (app: FastifyInstance, key: string) =>
  app.inject({ method: 'POST', url: '/api/Notes', headers: { 'idempotency-key': key }, payload: { text: 'a' } })

void t.test(
  'without Redis attempts are counted per process, and what may happen once is refused',
  { skip },
  async (t) => {
    const redis = await startRedis(t)
    const { app, warnings } = await serve(t, redis)
    await app.inject({ method: 'POST', url: '/api/Members', payload: credentials })
    t.equal((await login(app)).statusCode, 200)
    t.equal((await post(app, 'one')).statusCode, 200)
    const health = app.models.healthChecks.find(({ kind }) => kind === 'sharedState')
    t.equal(health?.name, 'redis')
    await health?.check()
    await redis.kill()
    await t.rejects(async () => health?.check(), { code: 'SHARED_STATE_UNAVAILABLE' })
    t.equal((await login(app)).statusCode, 200)
    t.strictSame(await guess(app, 12, '10.0.0.2'), [...Array.from({ length: 10 }, () => 401), 429, 429])
    const refused = await post(app, 'two')
    t.equal(refused.statusCode, 503)
    t.match(refused.json(), { error: { code: 'SHARED_STATE_UNAVAILABLE' } })
    const added = app.oauth2.states.add('kind', 'key', {}, new Date(Date.now() + 60_000))
    await t.rejects(added, { code: 'SHARED_STATE_UNAVAILABLE' })
    const failing = 'the shared state is unavailable: attempts and rates are counted per process'
    t.equal(warnings.filter((message) => message === failing).length, 1)
    await redis.start()
    await until(async () => (await post(app, 'three')).statusCode === 200, 'keys to be taken again')
    await health?.check()
    t.strictSame(await guess(app, 11, '10.0.0.3'), [...Array.from({ length: 10 }, () => 401), 429])
  }
)

void t.test('a server starts without Redis, and joins it later', { skip }, async (t) => {
  const redis = await startRedis(t)
  await redis.kill()
  const { app } = await serve(t, redis)
  await app.inject({ method: 'POST', url: '/api/Members', payload: credentials })
  t.equal((await login(app)).statusCode, 200)
  await redis.start()
  await until(async () => (await post(app, 'one')).statusCode === 200, 'keys to be taken')
})

void t.test('caches forget everything once messages may have been lost', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { app } = await serve(t, redis)
  await app.inject({ method: 'POST', url: '/api/Members', payload: credentials })
  const { id, userId } = (await login(app)).json<{ id: string; userId: number }>()
  const status = async (): Promise<number> =>
    (await app.inject({ url: `/api/Members/${userId}`, headers: { authorization: id } })).statusCode
  t.equal(await status(), 200)
  await redis.kill()
  // As another process would, whose messages are lost: past the model of this one.
  const tokens = app.models.typeOf('AccessToken')
  await tokens.collection?.delete(undefined)
  t.equal(await status(), 200, 'nothing has said so yet')
  await redis.start()
  await until(async () => (await status()) === 401, 'the token to be forgotten')
})
