import type { Model } from '@modelwire/core'
import { repository } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { cacheTokens, type FindToken } from '#src/identity/cache-tokens.ts'
import { makeApp } from '../make-app.ts'

interface Cache {
  readonly app: FastifyInstance
  readonly find: FindToken
  /** Ids that were read from the database. */
  readonly loads: string[]
  /** Lets seconds go by. */
  readonly wait: (seconds: number) => void
}

type Load = (id: string, app: FastifyInstance) => Promise<Model | null>

const read: Load = async (id, { models }) => repository.findById(models.typeOf('AccessToken'), id)

/** A cache of two tokens for five seconds, with a clock of its own. */
async function makeCache(t: Test, load = read): Promise<Cache> {
  const app = await makeApp(t)
  const model = app.models.typeOf('AccessToken')
  const loads: string[] = []
  let now = 0
  const find = cacheTokens({
    model,
    maxAge: 5,
    size: 2,
    clock: () => now,
    load: async (id) => {
      loads.push(id)
      return (await load(id, app)) ?? undefined
    }
  })
  for (const id of ['a', 'b', 'c']) await app.models.get('AccessToken').create({ id, userId: 1 })
  return { app, find, loads, wait: (seconds) => (now += seconds * 1000) }
}

void t.test('a token is read once within its time, and again after it', async (t) => {
  const { find, loads, wait } = await makeCache(t)
  for (const _ of [1, 2, 3]) t.match(await find('a'), { id: 'a', userId: 1 })
  wait(4.9)
  t.notOk(find('a') instanceof Promise)
  t.strictSame(loads, ['a'])
  wait(0.1)
  await find('a')
  t.strictSame(loads, ['a', 'a'])
})

void t.test('those who ask at the same time share one read, and no object', async (t) => {
  const { find, loads } = await makeCache(t)
  const [first, second] = await Promise.all([find('a'), find('a')])
  t.strictSame(loads, ['a'])
  t.not(first, second)
  Object.assign(first ?? {}, { userId: 2 })
  t.match(await find('a'), { userId: 1 })
  t.not(await find('a'), await find('a'))
})

void t.test('unknown ids are not kept, and the oldest token makes room', async (t) => {
  const { find, loads } = await makeCache(t)
  t.equal(await find('x'), undefined)
  t.equal(await find('x'), undefined)
  for (const id of ['a', 'b', 'c', 'c', 'b', 'a']) await find(id)
  t.strictSame(loads, ['x', 'x', 'a', 'b', 'c', 'a'])
})

type Tokens = ReturnType<FastifyInstance['models']['get']>
async function save(tokens: Tokens): Promise<unknown> {
  const token = await tokens.findById('a')
  if (token !== null) token['ttl'] = 0
  return token?.save()
}

const ends: [string, (tokens: Tokens) => Promise<unknown>][] = [
  ['destroyById', (tokens) => tokens.destroyById('a')],
  ['destroyAll of one', (tokens) => tokens.destroyAll({ id: 'a' })],
  ['destroyAll of a user', (tokens) => tokens.destroyAll({ userId: 1 })],
  ['destroyAll of several', (tokens) => tokens.destroyAll({ id: { inq: ['a', 'b'] } })],
  ['destroyAll', (tokens) => tokens.destroyAll()],
  ['destroy of a record', async (tokens) => (await tokens.findById('a'))?.destroy()],
  ['updateAll', (tokens) => tokens.updateAll({ userId: 1 }, { ttl: 0 })],
  ['updateAttributes', async (tokens) => (await tokens.findById('a'))?.updateAttributes({ ttl: 0 })],
  ['save', save],
  ['upsert', (tokens) => tokens.upsert({ id: 'a', ttl: 0 })],
  ['upsertWithWhere', (tokens) => tokens.upsertWithWhere({ id: 'a' }, { id: 'a', ttl: 0 })],
  ['replaceById', (tokens) => tokens.replaceById('a', { ttl: 0 })],
  ['replaceOrCreate', (tokens) => tokens.replaceOrCreate({ id: 'a', ttl: 0 })]
]

for (const [what, end] of ends) {
  void t.test(`a token that ${what} changes is read again at once`, async (t) => {
    const { app, find } = await makeCache(t)
    t.match(await find('a'), { ttl: 1_209_600 })
    await end(app.models.get('AccessToken'))
    const token = await find('a')
    t.ok(token === undefined || token['ttl'] === 0)
  })
}

void t.test('a token that ends while it is read is not kept', async (t) => {
  const { app, find, loads } = await makeCache(t, async (id, server) => {
    const token = await read(id, server)
    await server.models.get('AccessToken').destroyById(id)
    return token
  })
  t.match(await find('a'), { id: 'a' })
  t.equal(await find('a'), undefined)
  t.strictSame(loads, ['a', 'a'])
  t.equal(await app.models.get('AccessToken').count(), 2)
})

void t.test('after a failure the next request reads again', async (t) => {
  let isDown = true
  const { find } = await makeCache(t, async (id, app) => {
    if (isDown) throw new Error('the database is away')
    return read(id, app)
  })
  await t.rejects(Promise.all([find('a'), find('a')]), { message: 'the database is away' })
  isDown = false
  t.match(await find('a'), { id: 'a' })
})
