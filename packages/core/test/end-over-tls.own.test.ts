import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, get } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { modelwire } from '#src/plugin.ts'
import { testCertificate } from './test-certificate.ts'

const calls = 40
const whole = 'x'.repeat(200_000)
const portOf = ({ server }: { server: { address: () => unknown } }): number => (server.address() as AddressInfo).port // it listens

/** Serves a path whose answers wait until all of its calls are there and the server has begun to end. */
async function serve(t: Test, app: Pick<FastifyInstance, 'register' | 'get' | 'listen' | 'close'>) {
  const waiting: (() => void)[] = []
  t.teardown(async () => app.close())
  // What is not closed by then keeps the test until its own time is up.
  await app.register(modelwire, { dataSources: {}, models: [], shutdownTime: 60_000 })
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return whole
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const untilAll = async (): Promise<void> => {
    await until(() => waiting.length >= calls, `${calls} calls`)
  }
  return { untilAll, answer: () => waiting.forEach((each) => each()) }
}

/** A connection on which nothing is ever sent. */
async function openSilent(t: Test, port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => void socket.destroy())
  await once(socket, 'connect')
}

async function askHttps(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/slow', agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve(text)).once('error', reject)
    }).once('error', reject)
  })
}

void t.test('over HTTPS calls in flight are answered whole, silent connections are closed', async (t) => {
  const app = Fastify({ https: testCertificate })
  const { untilAll, answer } = await serve(t, app as unknown as FastifyInstance) // methods are those of any server
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  t.teardown(() => agent.destroy())
  await openSilent(t, portOf(app))
  const answers = Promise.all(Array.from({ length: calls }, async () => askHttps(portOf(app), agent)))
  await untilAll()
  const closed = app.close()
  answer()
  t.ok((await answers).every((text) => text === whole))
  await closed
})

void t.test('over HTTP/2 calls in flight are answered whole, silent connections are closed', async (t) => {
  const app = Fastify({ http2: true, https: testCertificate })
  const { untilAll, answer } = await serve(t, app as unknown as FastifyInstance) // methods are those of any server
  await openSilent(t, portOf(app))
  const session = connectHttp2(`https://127.0.0.1:${portOf(app)}`, { rejectUnauthorized: false })
  t.teardown(() => session.destroy())
  const ask = async (): Promise<string> => {
    const stream = session.request({ ':path': '/slow' }).setEncoding('utf8')
    let text = ''
    for await (const part of stream) text += String(part)
    return text
  }
  const answers = Promise.all(Array.from({ length: calls }, ask))
  await untilAll()
  const closed = app.close()
  answer()
  t.ok((await answers).every((text) => text === whole))
  await closed
})
