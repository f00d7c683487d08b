import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '#src/plugin.ts'

/** A plain server whose calls end when they are told to, with what happens in its order. */
async function makeServer(t: Test, shutdownTime?: number) {
  const events: string[] = []
  const calls: (() => void)[] = []
  const connector = memory()
  const disconnect = connector.disconnect.bind(connector)
  connector.disconnect = async () => {
    events.push('disconnected')
    await disconnect()
  }
  const app = Fastify()
  await app.register(modelwire, {
    dataSources: { db: connector },
    ...(shutdownTime === undefined ? {} : { shutdownTime })
  })
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => calls.push(resolve))
    events.push('answered')
    return 'whole'
  })
  t.teardown(() => app.close())
  return { app, events, calls }
}

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port

async function ask(host: string, port: number): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  return new Promise((resolve, reject) => {
    get({ host, port, path: '/slow', agent }, (answer) => {
      let text = `${answer.headers.connection} `
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve(text)).once('error', reject)
    }).once('error', reject)
  })
}

async function open(t: Test, host: string, port: number, text = ''): Promise<Socket> {
  const socket = connect(port, host)
  t.teardown(() => void socket.destroy())
  await once(socket, 'connect')
  socket
    .on('error', () => {})
    .resume()
    .write(text)
  return socket
}

const untilCalls = async (calls: readonly unknown[], count: number): Promise<void> => {
  await until(() => calls.length >= count, `${count} calls`)
}

void t.test('a server at every address of a name answers, then closes its data sources', async (t) => {
  const { app, events, calls } = await makeServer(t)
  await app.listen({ port: 0 })
  const hosts = app.addresses().map((address) => (address as AddressInfo).address)
  const silent = await Promise.all(hosts.map(async (host) => open(t, host, portOf(app))))
  const answers = Promise.all(hosts.map(async (host) => ask(host, portOf(app))))
  await untilCalls(calls, hosts.length)
  const allClosed = Promise.all(silent.map(async (socket) => once(socket, 'close')))
  const closed = app.close()
  await allClosed
  t.strictSame(events, [])
  for (const end of calls) end()
  t.strictSame(new Set(await answers), new Set(['close whole']))
  await closed
  t.strictSame(events, [...hosts.map(() => 'answered'), 'disconnected'])
})

void t.test('calls that are not over in time are broken off', async (t) => {
  const { app, events, calls } = await makeServer(t, 50)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = ask('127.0.0.1', portOf(app))
  await untilCalls(calls, 1)
  await Promise.all([t.rejects(answer, { code: 'ECONNRESET' }), app.close()])
  t.strictSame(events, ['disconnected'])
})

void t.test('without any time for calls a server ends at once', async (t) => {
  const { app, calls } = await makeServer(t, 0)
  app.get('/quick', async () => 'whole')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${portOf(app)}`
  // A connection that was quiet for less than a second, as those of fetch are kept.
  t.equal(await (await fetch(`${url}/quick`)).text(), 'whole')
  const answer = ask('127.0.0.1', portOf(app))
  await untilCalls(calls, 1)
  const since = performance.now()
  await Promise.all([t.rejects(answer, { code: 'ECONNRESET' }), app.close()])
  t.ok(performance.now() - since < 500)
})

void t.test('a connection that was handed over ends by whoever has it', async (t) => {
  const { app } = await makeServer(t)
  let goodbye = (): void => {}
  app.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: own\r\n\r\n')
    goodbye = () => void socket.end('goodbye')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const head = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: own\r\n\r\n'
  const upgraded = await open(t, '127.0.0.1', portOf(app), head)
  const parts: Buffer[] = []
  upgraded.on('data', (part) => void parts.push(part))
  await once(upgraded, 'data')
  // It comes later, and is closed before.
  const silent = await open(t, '127.0.0.1', portOf(app))
  const closed = app.close()
  await once(silent, 'close')
  goodbye()
  await closed
  t.match(Buffer.concat(parts).toString(), /goodbye$/)
})
