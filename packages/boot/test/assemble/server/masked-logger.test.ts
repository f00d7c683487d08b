import { Writable } from 'node:stream'
import t from 'tap'
import type { ServerOptions } from '#src/assemble/server/make-server.ts'
import { bootApp } from '../../make-app.ts'

/** A logger whose lines are kept. */
function keptLogger(): { logger: Exclude<ServerOptions['logger'], boolean | undefined>; log: () => string } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  return { logger: { level: 'trace', stream }, log: () => lines.join('') }
}

const files = {
  'server/model-config.json': {
    _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
    User: { dataSource: 'db', public: true },
    AccessToken: { dataSource: 'db', public: false },
    Thing: { dataSource: 'db', public: true }
  },
  'server/boot/auth.js': 'module.exports = (app) => app.enableAuth()'
}

t.test('the log of a server holds no token, password or header that proves who calls', async (t) => {
  const { logger, log } = keptLogger()
  const server = await bootApp(t, files, { logger })
  const credentials = { email: 'ann@shop.org', password: 'PASS-of-ann' }
  await server.inject({ method: 'POST', url: '/api/Users', payload: credentials })
  const login = await server.inject({ method: 'POST', url: '/api/Users/login', payload: credentials })
  const token = login.json<{ id: string }>().id
  await server.inject(`/api/Things?access_token=${token}`)
  await server.inject(`/nowhere?access_token=${token}`)
  const headers = { authorization: token, cookie: `a=${token}`, 'x-access-token': token }
  server.log.error({ body: credentials, headers, request: { body: credentials, headers } }, 'a script logs a request')
  server.log.info(`a script logs /api/Things?access_token=${token}&limit=1`)
  const failed = new Error(`GET /api?access_token=${token}`)
  server.log.error(Object.assign(failed, { config: { headers, deep: { body: credentials } } }))
  t.notMatch(log(), token)
  t.notMatch(log(), 'PASS-of-ann')
  t.match(log(), 'a script logs /api/Things?access_token=…&limit=1')
})

t.test('what an application says of its logger stays', async (t) => {
  const { logger, log } = keptLogger()
  const req = () => ({ own: 'serializer' })
  const server = await bootApp(t, files, {
    logger: { ...logger, redact: { paths: ['iban'], censor: '[gone]' }, serializers: { req } }
  })
  await server.inject('/api/Things')
  server.log.info({ iban: 'DE00', password: 'PASS-1' }, 'payment')
  t.match(log(), /"own":"serializer"/)
  t.match(log(), /"iban":"\[gone\]"/)
  t.notMatch(log(), 'PASS-1')
})

t.test('no logger stays no logger', async (t) => {
  const server = await bootApp(t, files, { logger: false })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})
