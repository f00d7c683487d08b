import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { makeApp, makeDatabase } from './make-app.ts'

/** Listens at a port that was free a moment ago. */
async function takePort(t: Test): Promise<{ port: number; free: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of TCP
  const free = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  t.teardown(free)
  return { port, free }
}

void t.test('a port of its own has health and metrics, and that of the API none', async (t) => {
  const app = await makeApp(t, { port: 0 })
  t.strictSame(app.opsAddresses, [])
  await app.ready()
  const [{ port } = { port: 0 }] = app.opsAddresses
  for (const path of ['live', 'ready', 'metrics']) {
    t.equal((await fetch(`http://127.0.0.1:${port}/${path}`)).status, 200, path)
    t.equal((await app.inject(`/${path}`)).statusCode, 404, path)
  }
  await app.close()
  await t.rejects(fetch(`http://127.0.0.1:${port}/live`))
})

void t.test('a server that closes is not ready while it answers the last calls', async (t) => {
  const { port, free } = await takePort(t)
  await free()
  const database = makeDatabase()
  const app = await makeApp(t, { port, cache: 0 }, database)
  let goOn = (): void => {}
  app.get('/slow', async () => new Promise<string>((resolve) => (goOn = () => resolve('done'))))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const slow = fetch(`${url}/slow`)
  const arrived = goOn
  await until(() => goOn !== arrived, 'the call')
  const closed = app.close()
  await until(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 503, 'the server to close')
  t.match(await (await fetch(`http://127.0.0.1:${port}/ready`)).json(), { status: 'closing' })
  goOn()
  t.equal(await (await slow).text(), 'done')
  await closed
})

void t.test('a port that is taken ends the start', async (t) => {
  const { port } = await takePort(t)
  const app = await makeApp(t, { port })
  await t.rejects(async () => app.ready(), { code: 'OPTION_INVALID', message: /EADDRINUSE/ })
})
