import { inspect } from 'node:util'
import t from 'tap'
import { redisStreams } from '#src/changes/index.ts'

t.test('settings that are malformed or unknown are refused, and their values not shown', async (t) => {
  t.throws(() => redisStreams({ leaseTime: 0 }), { code: 'OPTION_INVALID', where: { key: 'leaseTime' } })
  t.throws(() => redisStreams({ url: 'localhost:6379' }), { code: 'OPTION_INVALID', where: { key: 'url' } })
  const unknown = { lease: 1 } as Parameters<typeof redisStreams>[0]
  t.throws(() => redisStreams(unknown), { code: 'OPTION_INVALID', where: { key: 'lease' } })
  try {
    redisStreams({ url: '//user:secret-word@host:port' })
    t.fail('it is no URL')
  } catch (error) {
    t.match(error, { code: 'OPTION_INVALID', where: { key: 'url' } })
    t.notMatch(inspect(error, { depth: 9 }), /secret-word/)
  }
})

t.test('without a server, each call fails in bounded time, and closing does not wait', async (t) => {
  const stream = redisStreams({ url: 'redis://127.0.0.1:1', timeout: 300 }).open('db')
  stream.listen({ appended: () => undefined, announced: () => undefined })
  const failed = { code: 'CHANGE_TRANSPORT_FAILED', message: /^cannot connect to Redis: connect ECONNREFUSED/ }
  const candidate = { token: 'a', version: 'b' }
  await t.rejects(stream.lease(candidate), failed)
  await t.rejects(stream.release(candidate), failed)
  await t.rejects(stream.tail(), failed)
  await t.rejects(stream.read([0, 0], 1), failed)
  await t.rejects(stream.append([], { candidate, mark: '', clears: false }), failed)
  stream.announce()
  await stream.close()
})
