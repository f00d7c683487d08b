import { postgresql } from '@modelwire/connector-postgresql'
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
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'

const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }

/** What a case has: a server of entries whose database is behind a proxy. */
interface Place {
  readonly app: FastifyInstance
  readonly url: string
  readonly proxy: TcpProxy
  /** The database without the proxy. */
  readonly directUrl: string
}

async function openPlace(t: Test, settings: Readonly<Record<string, unknown>> = {}): Promise<Place> {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const target = new URL(database.url)
  const proxy = await openProxy({ host: target.hostname, port: Number(target.port || 5432) })
  t.teardown(() => proxy.close())
  target.hostname = '127.0.0.1'
  target.port = String(proxy.port)
  const { app, url } = await serveEntries(postgresql({ url: target.href, max: 3, ...settings }))
  t.teardown(() => app.close())
  return { app, url, proxy, directUrl: database.url }
}

const post = async (app: FastifyInstance, payload: unknown) =>
  app.inject({ method: 'POST', url: '/api/entries', payload: payload as object })

const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

void t.test('a connection that breaks within a write is a 503, within a read nobody notices', async (t) => {
  const { app, proxy } = await openPlace(t)
  proxy.cutAfter('insert into')
  t.match((await post(app, { id: 'a', serial: 1 })).json(), { error: unavailable })
  t.equal((await post(app, { id: 'b', serial: 2 })).statusCode, 200)
  proxy.cutAfter('select')
  t.match((await app.inject('/api/entries/b')).json(), { serial: 2 })
})

void t.test('a connection that breaks within a transaction leaves nothing of it', async (t) => {
  const { app, proxy, directUrl } = await openPlace(t)
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
  const [found] = await runOn(directUrl, `select id from faultentry where id <> 'e'`)
  t.same(found?.rows, [])
})

void t.test('connections that break under load again and again lose nothing', async (t) => {
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
  await checkLoad(t, report, { connector: postgresql({ url: directUrl }), allowed: ['503 DATA_SOURCE_UNAVAILABLE'] })
})

void t.test('a database that falls silent is a 503 after the time that statements have', async (t) => {
  const { app, proxy } = await openPlace(t, { statementTimeout: 500, connectTimeout: 1000 })
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

void t.test('the end does not wait for a database that fell silent', async (t) => {
  const { app, proxy } = await openPlace(t, { connectTimeout: 500 })
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

void t.test('when all connections are taken, requests are told so, and served when one is free', async (t) => {
  const { app } = await openPlace(t, { max: 2, connectTimeout: 1000 })
  const ends: (() => void)[] = []
  const hold = async () => app.models.transaction(() => new Promise<void>((resolve) => ends.push(resolve)))
  const busy = [hold(), hold()]
  while (ends.length < 2) await pause(5)
  const refused = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
  for (const answer of refused) t.match(answer.json(), { error: unavailable })
  for (const end of ends) end()
  await Promise.all(busy)
  const served = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
  for (const answer of served) t.equal(answer.statusCode, 200)
})

void t.test('a statement that waits for a lock too long is a 503, and the next one is served', async (t) => {
  const { app, directUrl } = await openPlace(t, { statementTimeout: 300 })
  await post(app, { id: 'a', serial: 1 })
  const lock = runOn(directUrl, 'begin', 'lock table faultentry', 'select pg_sleep(1)', 'commit')
  await pause(300)
  t.match((await app.inject('/api/entries')).json(), { error: { statusCode: 503, code: 'STATEMENT_TIMEOUT' } })
  await lock
  t.match((await app.inject('/api/entries')).json(), [{ id: 'a' }])
})

void t.test('a query that needs more room than it may have is told', async (t) => {
  const { app, directUrl } = await openPlace(t)
  await runOn(
    directUrl,
    `insert into faultentry (id, serial, twin) select md5(n::text), n, md5(n::text) from generate_series(1, 30000) n`,
    `do $$ begin execute format('alter database %I set temp_file_limit = 64', current_database()); end $$`,
    `do $$ begin execute format('alter database %I set work_mem = 64', current_database()); end $$`,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  )
  const sorted = await app.inject('/api/entries?filter[order]=twin')
  t.match(sorted.json(), { error: { statusCode: 507, code: 'DATABASE_FULL' } })
  t.match((await app.inject('/api/entries/count')).json(), { count: 30_000 })
})

void t.test('statements that were prepared before their table changed are prepared anew', async (t) => {
  const { app, directUrl } = await openPlace(t)
  await post(app, { id: 'a', serial: 1 })
  const read = async () => Promise.all(Array.from({ length: 6 }, () => app.inject('/api/entries/a')))
  await read()
  await runOn(directUrl, 'alter table faultentry alter column worker type numeric')
  for (const answer of await read()) t.match(answer.json(), { serial: 1 })
})

void t.test('a transaction whose work passes over a failed statement is not taken for a success', async (t) => {
  const { app } = await openPlace(t)
  const { modelClass } = app.models.typeOf('FaultEntry')
  const careless = app.models.transaction(async () => {
    await modelClass.create({ id: 'a', serial: 1 })
    await modelClass.create({ id: 'a', serial: 2 }).catch(() => {})
  })
  await t.rejects(careless, { code: 'TRANSACTION_ABORTED', statusCode: 500, cause: { code: 'DUPLICATE_KEY' } })
  t.equal(await modelClass.count(), 0)
})

void t.test("the database's own rules are told as 4xx with codes", async (t) => {
  const { app, directUrl } = await openPlace(t)
  await runOn(directUrl, 'drop table faultentry', constrainedTable)
  await checkConstraints(t, app, '400 VALUE_REFUSED')
})
