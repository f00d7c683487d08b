import t from 'tap'
import { serveKeys } from './serve-keys.ts'

t.test('code has the methods, and null for what is not there', async (t) => {
  const { Cache } = (await serveKeys(t)).models
  t.equal(await Cache.get('a'), null)
  await Cache.set('a', { x: 1 })
  t.strictSame(await Cache.get('a'), { x: 1 })
  await Cache.set('b', 1, 60_000)
  await Cache.set('c', 1, { ttl: 60_000 })
  t.ok(((await Cache.ttl('b')) ?? 0) > 0)
  t.ok(((await Cache.ttl('c')) ?? 0) > 0)
  t.equal(await Cache.ttl('a'), undefined)
  await Cache.expire('a', 0.5)
  t.strictSame(await Cache.keys({ match: '[bc]' }), ['b', 'c'])
  await Cache.delete('b')
  await Cache.delete('none')
  t.equal(await Cache.get('b'), null)
  await Cache.deleteAll()
  t.strictSame(await Cache.keys(), [])
  await t.rejects(Cache.expire('none', 5), { code: 'KEY_NOT_FOUND' })
  await t.rejects(Cache.ttl('none'), { code: 'KEY_NOT_FOUND' })
})

t.test('values are copies, and dates and buffers stay what they are', async (t) => {
  const { Cache } = (await serveKeys(t)).models
  const value = { list: [1] }
  await Cache.set('a', value)
  value.list.push(2)
  t.strictSame(await Cache.get('a'), { list: [1] })
  const date = new Date('2020-01-02T03:04:05.678Z')
  await Cache.set('b', date)
  t.strictSame(await Cache.get('b'), date)
  await Cache.set('c', Buffer.from('bytes'))
  t.strictSame(await Cache.get('c'), Buffer.from('bytes'))
})

t.test('keys come one after the other', async (t) => {
  const { Cache } = (await serveKeys(t)).models
  for (const key of ['a', 'b', 'c']) await Cache.set(key, key)
  const iterator = Cache.iterateKeys({ match: '[ab]' })
  t.strictSame([await iterator.next(), await iterator.next(), await iterator.next()], ['a', 'b', undefined])
  const found: string[] = []
  for await (const key of Cache.iterateKeys()) found.push(key)
  t.strictSame(found, ['a', 'b', 'c'])
})

t.test('models have keys of their own', async (t) => {
  const { models } = await serveKeys(t, [{ name: 'Session', base: 'KeyValueModel', public: true }])
  const Session = models.get('Session') as unknown as typeof models.Cache // it is of the same kind
  await models.Cache.set('a', 1)
  t.equal(await Session.get('a'), null)
  await Session.set('a', 2)
  await Session.deleteAll()
  t.equal(await models.Cache.get('a'), 1)
})

t.test('arguments are checked', async (t) => {
  const { Cache } = (await serveKeys(t)).models
  const code = { code: 'INVALID_ARGUMENT' }
  await t.rejects(Cache.get(''), code)
  await t.rejects(Cache.get(5 as never), code)
  await t.rejects(Cache.set('a', null), code)
  await t.rejects(Cache.set('a', undefined), code)
  await t.rejects(Cache.set('a', 1, -1), code)
  await t.rejects(Cache.set('a', 1, { ttl: 'x' } as never), code)
  await t.rejects(Cache.keys('a' as never), code)
  t.throws(() => Cache.iterateKeys({ match: 5 } as never), code)
})

t.test('keys are listed by pages', async (t) => {
  const app = await serveKeys(t)
  const { Cache } = app.models
  for (const key of ['a', 'b', 'c', 'd']) await Cache.set(key, 1)
  t.strictSame(await Cache.keys({ limit: 2 }), ['a', 'b'])
  t.strictSame(await Cache.keys({ limit: 2, skip: 3 }), ['d'])
  t.strictSame(await Cache.keys({ match: '[bcd]', skip: 1 }), ['c', 'd'])
  t.strictSame(await Cache.keys({ match: '' }), ['a', 'b', 'c', 'd'], 'an empty pattern is none, as in LoopBack')
  const iterator = Cache.iterateKeys({ limit: 1 })
  t.strictSame([await iterator.next(), await iterator.next()], ['a', undefined])
  t.strictSame((await app.inject('/api/Caches/keys?filter[limit]=1&filter[skip]=1')).json(), ['b'])
  for (const filter of [{ limit: 0 }, { limit: 1.5 }, { skip: -1 }, { limit: 'x' }])
    await t.rejects(Cache.keys(filter as never), { code: 'INVALID_ARGUMENT' })
})

t.test('what cannot be stored is refused', async (t) => {
  const { Cache } = (await serveKeys(t)).models
  await t.rejects(Cache.set('a', 5n), { code: 'INVALID_ARGUMENT' })
})
