import { setTimeout as pause } from 'node:timers/promises'
import { mysql } from '@modelwire/connector-mysql'
import {
  checkConstraints,
  checkLoad,
  constrainedTable,
  openProxy,
  sendLoad,
  serveEntries,
  type TcpProxy
} from '@modelwire/connector-tests'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'

const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }
const skip = await whyNoServer()

/** What a case has: a server of entries whose database is behind a proxy. */
interface Place {
  readonly app: FastifyInstance
  readonly url: string
  readonly proxy: TcpProxy
  /** The database without the proxy. */
  readonly directUrl: string
}

interface PlaceOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  /** Statements that are run on the empty database. */
  readonly statements?: readonly string[]
}

async function openPlace(t: Test, { settings = {}, statements = [] }: PlaceOptions = {}): Promise<Place> {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await runOn(database.url, ...statements)
  const target = new URL(database.url)
  const proxy = await openProxy({ host: target.hostname, port: Number(target.port || 3306) })
  t.teardown(() => proxy.close())
  target.hostname = '127.0.0.1'
  target.port = String(proxy.port)
  const { app, url } = await serveEntries(mysql({ url: target.href, connectionLimit: 3, ...settings }))
  t.teardown(() => app.close())
  return { app, url, proxy, directUrl: database.url }
}

const post = async (app: FastifyInstance, payload: object) =>
  app.inject({ method: 'POST', url: '/api/entries', payload })

const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

void t.test('a connection that breaks within a write is a 503, within a read nobody notices', { skip }, async (t) => {
  const { app, proxy } = await openPlace(t)
  proxy.cutAfter('insert into')
  t.match((await post(app, { id: 'a', serial: 1 })).json(), { error: unavailable })
  t.equal((await post(app, { id: 'b', serial: 2 })).statusCode, 200)
  proxy.cutAfter('select')
  t.match((await app.inject('/api/entries/b')).json(), { serial: 2 })
})

void t.test('a connection that breaks within a transaction leaves nothing of it', { skip }, async (t) => {
  const { app, proxy } = await openPlace(t)
  const { modelClass } = app.models.typeOf('FaultEntry')
  const transaction = app.models.transaction(async () => {
    await modelClass.create({ id: 'a', serial: 1 })
    proxy.cut()
    await modelClass.create({ id: 'b', serial: 2 })
  })
  await t.rejects(transaction, unavailable)
  const carelessly = app.models.transaction(async () => {
    await modelClass.create({ id: 'c', serial: 3 })
    proxy.cut()
    await modelClass.create({ id: 'd', serial: 4 }).catch(() => {})
  })
  await t.rejects(carelessly, unavailable, 'also when the work does not mind')
  proxy.cutAfter('commit')
  const uncertain = app.models.transaction(async () => modelClass.create({ id: 'e', serial: 5 }))
  await t.rejects(uncertain, unavailable, 'a commit without an answer is no success')
  t.same(await modelClass.find({ where: { id: { neq: 'e' } } }), [])
})

void t.test('connections that break under load again and again lose nothing', { skip }, async (t) => {
  const { app, url, proxy, directUrl } = await openPlace(t)
  const load = sendLoad(url)
  await load.success(10_000)
  for (let cuts = 0; cuts < 10; cuts++) {
    await pause(40)
    proxy.cut()
    await load.success(5000)
  }
  const report = await load.stop()
  await app.close()
  await checkLoad(t, report, { connector: mysql({ url: directUrl }), allowed: ['503 DATA_SOURCE_UNAVAILABLE'] })
})

void t.test('a database that falls silent is a 503 after the time that statements have', { skip }, async (t) => {
  const { app, proxy } = await openPlace(t, { settings: { statementTimeout: 500, connectTimeout: 1000 } })
  t.equal((await post(app, { id: 'a', serial: 1 })).statusCode, 200)
  proxy.silence()
  const waiting = await Promise.all([post(app, { id: 'b', serial: 2 }), app.inject('/api/entries/a')])
  for (const answer of waiting) t.equal(answer.statusCode, 503)
  t.match((await post(app, { id: 'c', serial: 3 })).json(), { error: unavailable })
  const { modelClass } = app.models.typeOf('FaultEntry')
  proxy.resume()
  const transaction = app.models.transaction(async () => {
    await modelClass.create({ id: 'd', serial: 4 })
    proxy.silence()
    await modelClass.create({ id: 'e', serial: 5 })
  })
  const begin = performance.now()
  await t.rejects(transaction, { code: 'STATEMENT_TIMEOUT', statusCode: 503 })
  // Neither does its end wait for an answer that does not come.
  t.ok(performance.now() - begin < 8000)
  proxy.resume()
  t.match((await app.inject('/api/entries/a')).json(), { serial: 1 })
})

void t.test('the end does not wait for a database that fell silent', { skip }, async (t) => {
  const { app, proxy } = await openPlace(t, { settings: { connectTimeout: 500 } })
  const ends: (() => void)[] = []
  const busy = app.models.transaction(() => new Promise<void>((resolve) => ends.push(resolve)))
  while (ends.length === 0) await pause(5)
  t.equal((await app.inject('/api/entries')).statusCode, 200)
  proxy.silence()
  const before = openSockets()
  const begin = performance.now()
  await app.close()
  t.ok(performance.now() - begin < 5000, 'nor for a transaction that goes on')
  await pause(20)
  t.ok(openSockets() <= before - 2, 'no connection keeps the process from ending')
  ends[0]?.()
  await t.rejects(busy, unavailable)
})

void t.test(
  'when all connections are taken, requests are told so, and served when one is free',
  { skip },
  async (t) => {
    const { app } = await openPlace(t, { settings: { connectionLimit: 2, connectTimeout: 1000 } })
    const ends: (() => void)[] = []
    const hold = async () => app.models.transaction(() => new Promise<void>((resolve) => ends.push(resolve)))
    const busy = [hold(), hold()]
    while (ends.length < 2) await pause(5)
    const refused = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
    t.same([...new Set(refused.map((answer) => answer.statusCode))], [503])
    t.match(refused[0]?.json(), { error: unavailable })
    for (const end of ends) end()
    await Promise.all(busy)
    const served = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
    t.same([...new Set(served.map((answer) => answer.statusCode))], [200])
  }
)

void t.test('a table that is full is told, and what it holds is served', { skip }, async (t) => {
  const small =
    'create table FaultEntry (id varchar(64) primary key, worker double, serial double not null, twin varchar(900)) engine = memory'
  const { app } = await openPlace(t, { statements: ['set max_heap_table_size = 16384', small] })
  t.equal((await post(app, { id: 'first', serial: 1 })).statusCode, 200)
  const answers: number[] = []
  for (let serial = 2; serial < 60; serial++) {
    const { statusCode } = await post(app, { id: String(serial), serial, twin: 'x'.repeat(900) })
    answers.push(statusCode)
  }
  t.same([...new Set(answers)], [200, 507])
  const error = { statusCode: 507, code: 'DATABASE_FULL' }
  t.match((await post(app, { id: 'more', serial: 61, twin: 'x'.repeat(900) })).json(), { error })
  t.match((await app.inject('/api/entries/first')).json(), { serial: 1 })
})

void t.test("the database's own rules are told as 4xx with codes", { skip }, async (t) => {
  const { app } = await openPlace(t, { statements: [constrainedTable] })
  await checkConstraints(t, app, '400 VALUE_REFUSED')
})
