import { randomUUID } from 'node:crypto'
import { sharedStateTests } from '@modelwire/connector-tests'
import { ModelRegistry } from '@modelwire/core'
import { until } from '@modelwire/test-waits'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { redisState } from '#src/index.ts'
import { redisUrl, removeKeys, whyNoRedis } from './redis-server.ts'

const skip = await whyNoRedis()

const log = { warn: () => undefined, info: () => undefined }

/** One more process that shares the keys of a prefix. */
async function open(t: Test, prefix: string): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  const { shared } = registry
  shared.use(redisState({ url: redisUrl, prefix }))
  await shared.open(log)
  t.teardown(() => shared.close())
  return registry
}

async function openAll(t: Test) {
  const prefix = `${randomUUID()}:`
  removeKeys(t, prefix)
  const processes = await Promise.all([1, 2, 3].map(() => open(t, prefix)))
  return { prefix, processes, states: processes.map(({ shared }) => shared) }
}

t.test('several processes count in Redis as one would', { skip }, async (t) => {
  const { processes } = await openAll(t)
  await sharedStateTests(t, processes, 40)
})

t.test('every key has the prefix, and ends', { skip }, async (t) => {
  const { states, prefix } = await openAll(t)
  const [state] = states
  await state?.cells.count('rate', 60_000)
  await state?.lease('work', 60_000)
  await state?.facts?.swap('fact', undefined, 'x', 60_000)
  const client = new Redis(redisUrl)
  t.teardown(() => client.quit())
  const keys = await client.keys(`${prefix}*`)
  t.equal(keys.length, 3)
  for (const key of keys) t.ok((await client.pttl(key)) > 0, key)
  t.equal(await state?.facts?.swap('fact', 'x', undefined, 0), true)
  t.equal(await client.exists(`${prefix}fact`), 0)
})

t.test('a counter that has no end gets one', { skip }, async (t) => {
  const { states, prefix } = await openAll(t)
  const client = new Redis(redisUrl)
  t.teardown(() => client.quit())
  await client.set(`${prefix}rate`, '5')
  t.match(await states[0]?.cells.count('rate', 60_000), { count: 6, left: 60_000 })
  t.ok((await client.pttl(`${prefix}rate`)) > 0)
})

t.test('facts come into being once, and change from what they are', { skip }, async (t) => {
  const { states } = await openAll(t)
  const added = await Promise.all(states.map(async ({ facts }) => facts?.swap('code', undefined, 'new', 60_000)))
  t.equal(added.filter((isAdded) => isAdded === true).length, 1)
  const used = await Promise.all(states.map(async ({ facts }) => facts?.swap('code', 'new', 'used', 60_000)))
  t.equal(used.filter((isUsed) => isUsed === true).length, 1)
  t.equal(await states[2]?.facts?.read('code'), 'used')
  t.equal(await states[2]?.facts?.swap('code', 'used', 'over', 1), true)
  await until(async () => (await states[0]?.facts?.read('code')) === undefined, 'the fact to end')
})

t.test('messages reach the other processes of the prefix', { skip }, async (t) => {
  const { states } = await openAll(t)
  const { shared: other } = await open(t, `${randomUUID()}:`)
  const heard: string[] = []
  for (const [at, state] of [...states, other].entries())
    state.listen('topic', (message) => message !== undefined && heard.push(`${at} ${message}`))
  states[0]?.publish('topic', 'hello')
  await until(() => heard.length >= 2, 'the message')
  t.strictSame(heard.toSorted(), ['1 hello', '2 hello'])
})

t.test('a setting that is malformed or unknown is refused', async (t) => {
  const refuses = (settings: object, key: string): void =>
    void t.throws(() => redisState(settings), { code: 'OPTION_INVALID', where: { key } })
  refuses({ url: 'not a url' }, 'sharedState.url')
  refuses({ url: 'localhost:6379' }, 'sharedState.url')
  refuses({ url: 7 }, 'sharedState.url')
  refuses({ timeout: 0 }, 'sharedState.timeout')
  refuses({ host: 'here' }, 'sharedState.host')
  refuses({ client: 7 }, 'sharedState.client')
})

t.test('without a server, calls say that there is no connection, and why', async (t) => {
  const store = redisState({ url: 'redis://127.0.0.1:1' })
  t.teardown(() => store.close())
  await store.open({ hear: () => {}, miss: () => {} })
  const failed = { message: /^cannot connect to Redis: connect ECONNREFUSED/ }
  await t.rejects(async () => store.read('a'), failed)
  await t.rejects(async () => store.publish?.('message'), failed)
})
