import { inspect } from 'node:util'
import type { ChangeTransport } from '@modelwire/changes'
import { natsJetStream } from '@modelwire/changes/nats'
import { redisStreams } from '@modelwire/redis/changes'
import t, { type Test } from 'tap'
import { startServer, whyNoProgram } from '#src/servers.ts'

const candidate = { token: 'token', version: 'version' }

/** Checks that a server which asks for a password gets it, and that a wrong one is not in the error. */
async function checkPassword(t: Test, right: ChangeTransport, wrong: ChangeTransport): Promise<void> {
  const [stream, refused] = [right.open('db'), wrong.open('db')]
  t.teardown(async () => Promise.all([stream.close(), refused.close()]))
  t.match(await stream.lease(candidate), { isMine: true })
  const error: unknown = await refused.lease(candidate).catch((reason: unknown) => reason)
  t.match(error, { code: 'CHANGE_TRANSPORT_FAILED', statusCode: 503 })
  t.notMatch(inspect(error, { depth: 9, showHidden: true }), /wrong-secret/)
}

const redis = { skip: whyNoProgram('redis-server') }
const nats = { skip: whyNoProgram('nats-server') }

t.test('Redis: passwords are not in errors', redis, async (t) => {
  const { port } = await startServer(t, 'redis-server', ['--requirepass', 'right secret'])
  const url = (password: string): string => `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`
  const wrong = redisStreams({ url: url('wrong-secret') })
  await checkPassword(t, redisStreams({ url: url('right secret') }), wrong)
})

t.test('NATS: passwords are not in errors', nats, async (t) => {
  const { port } = await startServer(t, 'nats-server', ['--user', 'a', '--pass', 'right secret'])
  const url = (password: string): string => `nats://a:${encodeURIComponent(password)}@127.0.0.1:${port}`
  const wrong = natsJetStream({ url: url('wrong-secret') })
  await checkPassword(t, natsJetStream({ url: url('right secret') }), wrong)
})

t.test('NATS: tokens are not in errors', nats, async (t) => {
  const { port } = await startServer(t, 'nats-server', ['--auth', 'right-secret'])
  const [right, wrong] = ['right', 'wrong'].map((word) => `nats://${word}-secret@127.0.0.1:${port}`)
  await checkPassword(t, natsJetStream({ url: right ?? '' }), natsJetStream({ url: wrong ?? '' }))
})
