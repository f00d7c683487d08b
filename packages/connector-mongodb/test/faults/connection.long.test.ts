import { mongodb } from '@modelwire/connector-mongodb'
import { checkLoad, openPlace, postEntry, sendLoad } from '@modelwire/connector-tests'
import type { FastifyInstance } from 'fastify'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { faultPlaces } from './fault-places.ts'

const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }
const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
const patchEntry = (app: FastifyInstance, id: string, payload: object) =>
  app.inject({ method: 'PATCH', url: `/api/entries/${id}`, payload })

void t.test('a connection that breaks within a write is a 503, within a read nobody notices', async (t) => {
  const { app, proxy } = await openPlace(t, faultPlaces())
  proxy.cutAfter('insert')
  t.match((await postEntry(app, { id: 'a', serial: 1 })).json(), { error: unavailable })
  t.equal((await postEntry(app, { id: 'b', serial: 2 })).statusCode, 200)
  proxy.cutAfter('find')
  t.match((await app.inject('/api/entries/b')).json(), { serial: 2 })
})

void t.test('a replica set is sent a write again whose answer got lost, and it is done once', async (t) => {
  const places = faultPlaces({ replicaSet: 'rs' })
  const { app, proxy } = await openPlace(t, places)
  proxy.cutAfter('insert')
  t.match((await postEntry(app, { id: 'a', serial: 1 })).json(), { id: 'a' }, 'it is acknowledged, and no duplicate')
  const [commands = []] = places.servers.map((server) => server.commands)
  t.equal(commands.filter(({ insert }) => insert === 'FaultEntry').length, 2)
  proxy.cutAfter('findAndModify')
  t.match((await patchEntry(app, 'a', { serial: 2 })).json(), { id: 'a', serial: 2 })
  const { modelClass } = app.models.typeOf('FaultEntry')
  proxy.cutAfter('update')
  await t.rejects(modelClass.updateAll({}, { worker: 3 }), unavailable, 'nobody knows how far a change of many came')
  t.equal(await modelClass.count(), 1)
})

void t.test('connections that break under load again and again lose nothing', { timeout: 120_000 }, async (t) => {
  const { app, url, proxy, directUrl } = await openPlace(t, faultPlaces())
  const load = sendLoad(url)
  for (let cuts = 0; cuts < 10; cuts++) {
    // All clients are at work again.
    await load.success(20_000, 12)
    proxy.cut()
  }
  await load.success(20_000)
  const report = await load.stop()
  await app.close()
  await checkLoad(t, report, { connector: mongodb({ url: directUrl }), allowed: ['503 DATA_SOURCE_UNAVAILABLE'] })
})

void t.test('a database that falls silent is a 503 after the time that commands have', async (t) => {
  const settings = { statementTimeout: 500, connectTimeout: 1000 }
  const { app, proxy } = await openPlace(t, faultPlaces(), { settings })
  t.equal((await postEntry(app, { id: 'a', serial: 1 })).statusCode, 200)
  proxy.silence()
  const waiting = await Promise.all([postEntry(app, { id: 'b', serial: 2 }), app.inject('/api/entries/a')])
  for (const answer of waiting) t.equal(answer.statusCode, 503, answer.body)
  proxy.resume()
  t.match((await app.inject('/api/entries/a')).json(), { serial: 1 })
})

void t.test('the end does not wait for a database that fell silent', async (t) => {
  const { app, proxy } = await openPlace(t, faultPlaces(), { settings: { connectTimeout: 500 } })
  t.equal((await app.inject('/api/entries')).statusCode, 200)
  proxy.silence()
  const { modelClass } = app.models.typeOf('FaultEntry')
  const before = openSockets()
  const waiting = t.rejects(modelClass.create({ id: 'a', serial: 1 }), unavailable)
  const begin = performance.now()
  await app.close()
  await waiting
  t.ok(
    performance.now() - begin < 15_000,
    `it took ${Math.round(performance.now() - begin)} ms, also for a write on its way`
  )
  await until(() => openSockets() <= before - 2, 'connections to be closed, which keep the process from ending')
})

void t.test('when all connections are taken, requests are told so, and served when one is free', async (t) => {
  const places = faultPlaces()
  const settings = { connectTimeout: 1000, statementTimeout: 0, socketTimeoutMS: 6000 }
  const { app } = await openPlace(t, places, { connections: 1, settings })
  const [server] = places.servers
  server?.commands.splice(0)
  server?.failNext('update', 'wait')
  const { modelClass } = app.models.typeOf('FaultEntry')
  const busy = t.rejects(modelClass.updateAll({}, { worker: 1 }), { code: 'STATEMENT_TIMEOUT', statusCode: 503 })
  await until(() => server?.commands.length !== 0, 'the update to reach the server')
  const refused = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries/count')))
  for (const answer of refused) t.match(answer.json(), { error: unavailable })
  await busy
  const served = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
  for (const answer of served) t.equal(answer.statusCode, 200)
})
