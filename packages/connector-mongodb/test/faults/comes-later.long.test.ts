import { serveEntries, postEntry, silentServerTest } from '@modelwire/connector-tests'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }

void t.test('a server that comes after the start is used', async (t) => {
  const server = await startOwnServer()
  await server.crash()
  const lazy = mongodb({ url: `${server.url}/later`, connectTimeout: 2000, lazyConnect: true })
  const waiting = mongodb({ url: `${server.url}/later`, connectTimeout: 2000 })
  t.teardown(async () => {
    for (const connector of [lazy, waiting]) await connector.disconnect()
    await server.stop()
  })
  await lazy.connect()
  await t.rejects(lazy.ping(), unavailable)
  await t.rejects(waiting.connect(), unavailable)
  await server.restart()
  await lazy.ping()
  await waiting.connect()
  await waiting.ping()
})

void t.test(
  'a server that goes and comes back keeps what it acknowledged, and meanwhile requests are told',
  async (t) => {
    const server = await startOwnServer()
    const { app } = await serveEntries(mongodb({ url: `${server.url}/back`, connectTimeout: 2000 }))
    t.teardown(async () => {
      await app.close()
      await server.stop()
    })
    t.equal((await postEntry(app, { id: 'a', serial: 1 })).statusCode, 200)
    await server.crash()
    t.match((await postEntry(app, { id: 'b', serial: 2 })).json(), { error: unavailable })
    t.match((await app.inject('/api/entries/a')).json(), { error: unavailable })
    await server.restart()
    t.match((await app.inject('/api/entries')).json(), [{ id: 'a' }])
    t.equal((await postEntry(app, { id: 'b', serial: 2 })).statusCode, 200)
  }
)

silentServerTest((port) => mongodb({ url: `mongodb://127.0.0.1:${port}/nothing`, connectTimeout: 200 }))
