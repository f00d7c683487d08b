import { randomUUID } from 'node:crypto'
import { type ModelClass, modelwire } from '@modelwire/core'
import { keyValue, type KeyValueConnector, keyValueModel, type KeyValueMethods, kvMemory } from '@modelwire/key-value'
import { rest } from '@modelwire/rest'
import * as fc from 'fast-check'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { runs, takeTime } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { kvRedis, type KvRedisSettings } from '#src/key-value/index.ts'

declare module '@modelwire/core' {
  interface Models {
    Cache: ModelClass & KeyValueMethods
  }
}

const url = process.env['MODELWIRE_REDIS_URL'] ?? 'redis://127.0.0.1:6379/9'

/** Why the tests cannot run here; false where they can. */
async function reasonToSkip(): Promise<string | false> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.quit()
    return false
  } catch {
    return `needs Redis at ${url}, or at MODELWIRE_REDIS_URL`
  }
}

const skip = await reasonToSkip()

/** A server whose keys nobody else has, and which are deleted when the test ends. */
async function serveCache(t: Test, settings: KvRedisSettings = {}, memory?: KeyValueConnector) {
  const connector = kvRedis({ url, prefix: `${randomUUID()}:`, ...settings, lazyConnect: memory !== undefined })
  const app = Fastify({ requestTimeout: 10_000 })
  await app.register(modelwire, {
    dataSources: { keys: memory ?? connector },
    models: [keyValueModel, { name: 'Cache', base: 'KeyValueModel', public: true }],
    shutdownTime: 0
  })
  await app.register(keyValue)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  t.teardown(async () => {
    await app.models.Cache.deleteAll()
    await app.close()
  })
  return { app, connector, Cache: app.models.Cache }
}

t.test('values are set, found and deleted', { skip }, async (t) => {
  const { Cache } = await serveCache(t)
  t.equal(await Cache.get('a'), null)
  const value = { x: [1, new Date(0), Buffer.from('b')] }
  await Cache.set('a', value)
  t.strictSame(await Cache.get('a'), value)
  await Cache.delete('a')
  t.equal(await Cache.get('a'), null)
})

t.test('values have a time to live', { skip }, async (t) => {
  const { Cache } = await serveCache(t)
  await Cache.set('a', 1)
  t.equal(await Cache.ttl('a'), undefined)
  await Cache.expire('a', 60_000)
  t.ok(((await Cache.ttl('a')) ?? 0) > 50_000)
  await Cache.set('b', 1, 60_000)
  t.ok(((await Cache.ttl('b')) ?? 0) > 50_000)
  await t.rejects(Cache.ttl('none'), { code: 'KEY_NOT_FOUND', statusCode: 404 })
  await t.rejects(Cache.expire('none', 5), { code: 'KEY_NOT_FOUND' })
})

t.test('keys are listed by pattern, and deleted together', { skip }, async (t) => {
  const { Cache } = await serveCache(t)
  const names = Array.from({ length: 1200 }, (_, index) => `k${index}`)
  await Promise.all(names.map((name) => Cache.set(name, 1)))
  await Cache.set('a:b/c*', 1)
  t.equal((await Cache.keys()).length, 1201)
  t.strictSame(
    (await Cache.keys({ match: 'k119?' })).toSorted(),
    Array.from({ length: 10 }, (_, n) => `k119${n}`)
  )
  t.strictSame(await Cache.keys({ match: String.raw`a:b/c\*` }), ['a:b/c*'])
  const iterator = Cache.iterateKeys({ match: 'a*' })
  t.strictSame([await iterator.next(), await iterator.next()], ['a:b/c*', undefined])
  await Cache.deleteAll()
  t.strictSame(await Cache.keys(), [])
})

t.test('clients reach them', { skip }, async (t) => {
  const { app } = await serveCache(t)
  const put = await app.inject({ method: 'PUT', url: '/api/Caches/a?ttl=60000', payload: { x: 1 } })
  t.equal(put.statusCode, 204)
  t.strictSame((await app.inject('/api/Caches/a')).json(), { x: 1 })
  t.strictSame((await app.inject('/api/Caches/keys')).json(), ['a'])
  t.match((await app.inject('/api/Caches/none')).json(), { error: { statusCode: 404, code: 'KEY_NOT_FOUND' } })
  t.ok((await app.inject('/api/Caches/a/ttl')).json() > 50_000)
})

t.test('keys of models are those of LoopBack', { skip }, async (t) => {
  const prefix = `${randomUUID()}:`
  const { Cache, connector } = await serveCache(t, { prefix, packer: 'json', keyPrefix: 'ignored:' })
  await Cache.set('a:b', { at: new Date(0) })
  t.equal(String(await connector.execute('GET', [`${prefix}Cache:a:b`])), '{"at":"1970-01-01T00:00:00.000Z"}')
  t.strictSame(await Cache.get('a:b'), { at: new Date(0) })
})

t.test('what Redis refuses is a 500, and what it cannot do at the moment a 503', { skip }, async (t) => {
  const prefix = `${randomUUID()}:`
  const { Cache, connector } = await serveCache(t, { prefix })
  await connector.execute('RPUSH', [`${prefix}Cache:list`, 'x'])
  await t.rejects(Cache.get('list'), { code: 'KEY_VALUE_STORE_FAILED', cause: { message: /WRONGTYPE/ } })
  connector.client.disconnect()
  await t.rejects(Cache.get('a'), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await connector.client.connect()
})

t.test('the start fails where there is no Redis, unless the connection may wait', async (t) => {
  const settings = { host: '127.0.0.1', port: 9, retryStrategy: null }
  await t.rejects(kvRedis(settings).connect(), { code: 'DATA_SOURCE_UNAVAILABLE' })
  const lazy = kvRedis({ ...settings, lazyConnect: true })
  await lazy.connect()
  await t.rejects(lazy.ping(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  await lazy.disconnect()
})

t.test('a connector is opened again', { skip }, async (t) => {
  const connector = kvRedis({ url })
  await connector.connect()
  await connector.disconnect()
  await t.rejects(connector.ping(), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await connector.connect()
  await connector.ping()
  await connector.disconnect()
})

t.test('a connector that could not connect tries no more, and refuses commands at once', async (t) => {
  const connector = kvRedis({ host: '127.0.0.1', port: 9 })
  const { client } = connector
  await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE' })
  let attempts = 0
  client.on('connecting', () => attempts++)
  await t.rejects(connector.ping(), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await takeTime(300, 'a client that tries again does so by then')
  t.equal(attempts, 0)
  await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE' }, 'until it is asked to')
})

t.test('a value that cannot be read or written is told as such', { skip }, async (t) => {
  const prefix = `${randomUUID()}:`
  const { Cache, connector } = await serveCache(t, { prefix, packer: 'json' })
  await connector.execute('SET', [`${prefix}Cache:a`, '{'])
  await t.rejects(Cache.get('a'), { code: 'KEY_VALUE_STORE_FAILED', statusCode: 500, cause: { name: 'SyntaxError' } })
  await t.rejects(Cache.set('a', 5n), { code: 'INVALID_ARGUMENT' })
})

t.test('the name of a master is passed on where sentinels watch it', async (t) => {
  const sentinels = [{ host: '127.0.0.1', port: 9 }]
  t.equal(kvRedis({ name: 'mymaster', sentinels }).client.options.name, 'mymaster')
  t.notOk(kvRedis({ name: 'cache', host: 'localhost' }).client.options.name, 'that of a data source')
})

const piece = fc.constantFrom('a', 'b', 'c', '-', ']', '[', '^', '\\', '*', '?', '/', '!', '.')
const sequence = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''))

t.test('patterns mean in memory what they mean in Redis', { skip }, async (t) => {
  const { Cache } = await serveCache(t)
  const memory = (await serveCache(t, {}, kvMemory())).Cache
  const keys = fc.sample(sequence, { numRuns: runs(300), seed: 1 }).filter((key) => key !== '')
  await Promise.all(keys.flatMap((key) => [Cache.set(key, 1), memory.set(key, 1)]))
  await fc.assert(
    fc.asyncProperty(sequence, async (match) => {
      const [inRedis, inMemory] = await Promise.all([Cache.keys({ match }), memory.keys({ match })])
      return JSON.stringify(inRedis.toSorted()) === JSON.stringify(inMemory.toSorted())
    }),
    { numRuns: runs(200) }
  )
})

t.test('keys are listed by pages', { skip }, async (t) => {
  const { app, Cache } = await serveCache(t)
  for (const key of ['a', 'b', 'c']) await Cache.set(key, 1)
  const first = await Cache.keys({ limit: 2 })
  t.equal(first.length, 2)
  t.strictSame([...first, ...(await Cache.keys({ skip: 2 }))].toSorted(), ['a', 'b', 'c'])
  t.equal((await app.inject('/api/Caches/keys?filter[limit]=2')).json().length, 2)
})

t.test('settings are checked', async (t) => {
  for (const [settings, key] of [
    [{ packer: 'xml' }, 'packer'],
    [{ packer: 'json', bufferEncoding: 'x' }, 'bufferEncoding'],
    [{ url: 'http://[' }, 'url'],
    [{ prefix: 5 }, 'prefix'],
    [{ protocol: 4 }, 'protocol'],
    [{ maxRetriesPerRequest: -1 }, 'maxRetriesPerRequest']
  ] as const)
    t.throws(() => kvRedis(settings as never), { code: 'OPTION_INVALID', where: { key } })
  t.ok(kvRedis({ url: '', packer: '', prefix: '' } as never), 'empty strings count as absent')
  t.ok(kvRedis({ url: null, packer: null } as never), 'so does null')
  t.equal(
    kvRedis({ maxRetriesPerRequest: null }).client.options.maxRetriesPerRequest,
    null,
    'but where it means no end'
  )
})
