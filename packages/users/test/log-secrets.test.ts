import { Writable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { ask, enter, makeApp } from './make-app.ts'

/** An application whose whole log is kept. */
async function start(t: Test): Promise<{ app: FastifyInstance; lines: string[] }> {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  const server = Fastify({ logger: { level: 'trace', stream } })
  return { app: await makeApp(t, { server }), lines }
}

t.test('the log holds no token of an address, whether there is a route or not', async (t) => {
  const { app, lines } = await start(t)
  const ann = await enter(app, 'ann@shop.org')
  for (const path of ['/api/Customers/1', '/nowhere', '/api/Customers/nowhere/at/all', '/api/%zz'])
    await app.inject(`${path}?access_token=${ann.token}`)
  await ask(app, 'GET', `/Customers/confirm?uid=${ann.id}&token=token-of-confirm`)
  const log = lines.join('')
  t.match(log, /access_token=…/)
  t.match(log, /token=…/)
  t.notMatch(log, ann.token)
  t.notMatch(log, 'token-of-confirm')
})

t.test('nor the secrets of an error that is logged with its request', async (t) => {
  const { app, lines } = await start(t)
  const failed = Object.assign(new Error('GET https://mail.example/?access_token=TOKEN-1 failed'), {
    config: {
      headers: { Authorization: 'Bearer TOKEN-2' },
      data: { password: 'TOKEN-3', list: [{ token: 'TOKEN-4' }] }
    },
    code: 'ECONNRESET'
  })
  app.log.error({ err: failed }, 'no message was sent')
  app.log.error(failed, 'again')
  const log = lines.join('')
  t.notMatch(log, /TOKEN-/)
  t.match(log, /ECONNRESET/)
})

t.test('serializers of the logger and of routes are masked, too', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const req = (request: { url: string }) => ({ url: request.url, own: true })
  const server = Fastify({ logger: { level: 'trace', stream, serializers: { req } } })
  const app = await makeApp(t, { server })
  app.get('/plain', { logSerializers: { req } }, async () => 'x')
  await app.inject('/plain?access_token=secret-1')
  await app.inject('/api/Orders?access_token=secret-2')
  t.equal(lines.filter((line) => line.includes('"own":true')).length, 2)
  t.notMatch(lines.join(''), /secret-\d/)
})
