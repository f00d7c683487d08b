import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { readServerTimeouts } from '#src/server-timeouts.ts'
import { bootApp, type Files, refusal, usualFiles } from './make-app.ts'

const head = 'POST /api/Things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 20\r\n'

/** Sends the beginning of a request and nothing more: what came when the server has closed the connection. */
async function sendSlowly(server: FastifyInstance, text: string): Promise<string> {
  if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => void chunks.push(chunk))
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

const withTimeouts = (serverTimeouts: object): Files => ({
  'server/config.json': { ...Object(usualFiles['server/config.json']), serverTimeouts }
})

/** Node looks at its connections every 30 seconds otherwise. */
const quick: object = { http: { connectionsCheckingInterval: 10 } }

void t.test('a body or a head that does not come is a 408, and the connection is closed', async (t) => {
  const server = await bootApp(t, {}, { serverTimeouts: { request: 50, headers: 50 }, fastify: quick })
  t.match(await sendSlowly(server, `${head}\r\n{"label":`), /^HTTP\/1\.1 408 /)
  t.match(await sendSlowly(server, head), /^HTTP\/1\.1 408 /)
  t.equal((await server.inject('/api/Things')).body, '[]', 'the server goes on, and nothing was stored')
})

void t.test('the configuration sets the limits as well, options go before it', async (t) => {
  const files = withTimeouts({ request: 50, connection: 70_000 })
  const server = await bootApp(t, files, { serverTimeouts: { connection: 50_000 }, fastify: quick })
  t.match(await sendSlowly(server, `${head}\r\n{"label":`), /^HTTP\/1\.1 408 /)
  t.equal(server.server.timeout, 50_000)
  const given: object = { requestTimeout: 7000, http: { headersTimeout: 5000 } }
  const own = await bootApp(t, files, { fastify: given })
  t.match(own.server, { requestTimeout: 7000, headersTimeout: 5000, timeout: 70_000 })
})

void t.test('a connection that carries nothing is closed', async (t) => {
  const server = await bootApp(t, {}, { serverTimeouts: { connection: 50 } })
  t.equal(await sendSlowly(server, ''), '')
})

void t.test('a server has limits without being told', async (t) => {
  const { server } = await bootApp(t)
  t.match(server, { requestTimeout: 120_000, headersTimeout: 60_000, timeout: 300_000, keepAliveTimeout: 72_000 })
  const unlimited = await bootApp(t, {}, { serverTimeouts: { request: 0, headers: 0, connection: 0 } })
  t.match(unlimited.server, { requestTimeout: 0, headersTimeout: 0, timeout: 0 })
})

void t.test('a malformed limit stops the start', async (t) => {
  for (const wrong of [
    { request: -1 },
    { request: '5s' },
    { keepAlive: 0 },
    { headers: 1.5 },
    { connection: 2 ** 40 },
    { x: 1 }
  ]) {
    const key = `serverTimeouts.${Object.keys(wrong)[0]}`
    t.throws(() => readServerTimeouts(wrong as object), { code: 'OPTION_INVALID', where: { key } })
    t.match(await refusal(t, withTimeouts(wrong)), { code: 'CONFIG_VALUE_INVALID', key })
  }
})
