import { until, takeTime } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { checkConstraints, constrainedTable } from './check-constraints.ts'
import { checkLoad } from './check-load.ts'
import { type FaultTestsOptions, openPlace, postEntry } from './open-place.ts'
import { sendLoad } from './send-load.ts'
import type { Connector } from '@modelwire/core/connector'
import { spawnServer } from './spawn-server.ts'
import { createServer, type AddressInfo, type Socket } from 'node:net'

type Settings = Readonly<Record<string, unknown>>

/** One thing that a server does whose database, or the way to it, is in trouble. */
export interface NetworkCase {
  /** A sentence of behaviour. */
  readonly name: string
  readonly run: (t: Test, options: FaultTestsOptions) => Promise<void>
}

const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }

const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

const brokenCases: readonly NetworkCase[] = [
  {
    name: 'a connection that breaks within a write is a 503, within a read nobody notices',
    run: async (t, options) => {
      const { app, proxy } = await openPlace(t, options)
      proxy.cutAfter('insert into')
      t.match((await postEntry(app, { id: 'a', serial: 1 })).json(), { error: unavailable })
      t.equal((await postEntry(app, { id: 'b', serial: 2 })).statusCode, 200)
      proxy.cutAfter('select')
      t.match((await app.inject('/api/entries/b')).json(), { serial: 2 })
    }
  },
  {
    name: 'a connection that breaks within a transaction leaves nothing of it',
    run: async (t, options) => {
      const { app, proxy } = await openPlace(t, options)
      const { modelClass } = app.models.typeOf('FaultEntry')
      const transaction = app.models.transaction(async () => {
        await modelClass.create({ id: 'a', serial: 1 })
        proxy.cut()
        await modelClass.create({ id: 'b', serial: 2 })
      })
      await t.rejects(transaction, unavailable)
      const unguarded = app.models.transaction(async () => {
        await modelClass.create({ id: 'c', serial: 3 })
        proxy.cut()
        await modelClass.create({ id: 'd', serial: 4 }).catch(() => {})
      })
      await t.rejects(unguarded, unavailable, 'also when the work does not mind')
      proxy.cutAfter('commit')
      const uncertain = app.models.transaction(async () => modelClass.create({ id: 'e', serial: 5 }))
      await t.rejects(uncertain, unavailable, 'a commit without an answer is no success')
      t.same(await modelClass.find({ where: { id: { neq: 'e' } } }), [])
    }
  },
  {
    name: 'connections that break under load again and again lose nothing',
    run: async (t, options) => {
      const { app, url, proxy, directUrl } = await openPlace(t, options)
      const load = sendLoad(url)
      for (let cuts = 0; cuts < 10; cuts++) {
        // All clients are at work again.
        await load.success(10_000, 12)
        proxy.cut()
      }
      await load.success(5000)
      const report = await load.stop()
      await app.close()
      const connector = options.create({ url: directUrl })
      await checkLoad(t, report, { connector, allowed: ['503 DATA_SOURCE_UNAVAILABLE'] })
    }
  }
]

const silentCases: readonly NetworkCase[] = [
  {
    name: 'a database that falls silent is a 503 after the time that statements have',
    run: async (t, options) => {
      const settings = { statementTimeout: 500, connectTimeout: 1000 }
      const { app, proxy } = await openPlace(t, options, { settings })
      t.equal((await postEntry(app, { id: 'a', serial: 1 })).statusCode, 200)
      proxy.silence()
      const waiting = await Promise.all([postEntry(app, { id: 'b', serial: 2 }), app.inject('/api/entries/a')])
      for (const answer of waiting) t.equal(answer.statusCode, 503)
      t.match((await postEntry(app, { id: 'c', serial: 3 })).json(), { error: unavailable })
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
    }
  },
  {
    name: 'the end does not wait for a database that fell silent',
    run: async (t, options) => {
      const { app, proxy } = await openPlace(t, options, { settings: { connectTimeout: 500 } })
      const ends: (() => void)[] = []
      const busy = app.models.transaction(() => new Promise<void>((resolve) => ends.push(resolve)))
      await until(() => ends.length > 0, 'the transaction to begin')
      t.equal((await app.inject('/api/entries')).statusCode, 200)
      proxy.silence()
      const before = openSockets()
      const begin = performance.now()
      await app.close()
      t.ok(performance.now() - begin < 5000, 'nor for a transaction that goes on')
      await until(() => openSockets() <= before - 2, 'connections to be closed, which keep the process from ending')
      ends[0]?.()
      await t.rejects(busy, unavailable)
    }
  }
]

const refusalCases: readonly NetworkCase[] = [
  {
    name: 'when all connections are taken, requests are told so, and served when one is free',
    run: async (t, options) => {
      const { app } = await openPlace(t, options, { connections: 2, settings: { connectTimeout: 2000 } })
      const ends: (() => void)[] = []
      const hold = async () => app.models.transaction(() => new Promise<void>((resolve) => ends.push(resolve)))
      const busy = [hold(), hold()]
      await until(() => ends.length === 2, 'both transactions to begin')
      const refused = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
      for (const answer of refused) t.match(answer.json(), { error: unavailable })
      for (const end of ends) end()
      await Promise.all(busy)
      const served = await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/entries')))
      for (const answer of served) t.equal(answer.statusCode, 200)
    }
  },
  {
    name: "the database's own rules are told as 4xx with codes",
    run: async (t, options) => {
      const { app } = await openPlace(t, options, { statements: [constrainedTable] })
      await checkConstraints(t, app, '400 VALUE_REFUSED')
    }
  }
]

/** What servers do whose database, or the way to it, is in trouble. */
export const networkCases: readonly NetworkCase[] = [...brokenCases, ...silentCases, ...refusalCases]

/** Runs what every connector to a database behind a network does when that is in trouble: one test per case. */
export async function networkTests(t: Test, options: FaultTestsOptions): Promise<void> {
  for (const { name, run } of networkCases) await t.test(name, async (t) => run(t, options))
}

/** Checks that a server that is killed under load has stored what it acknowledged. @param file what calls `serveSpawned` */
export async function checkKilled(
  t: Test,
  file: string,
  create: (settings: Settings) => Connector,
  settings: Settings
): Promise<void> {
  const server = await spawnServer(file, settings)
  t.teardown(() => server.kill())
  const load = sendLoad(server.url)
  await load.success(10_000)
  await takeTime(Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400), 'load')
  await server.kill()
  const report = await load.stop()
  t.ok(report.broken > 0, 'it was killed while requests were under way')
  await checkLoad(t, report, { connector: create(settings), allowed: [] })
}

/**
 * Checks what becomes of a connector whose server accepts connections and never answers.
 * @param open makes a connector for 127.0.0.1 and this port that waits for a fraction of a second
 */
export function silentServerTest(open: (port: number) => Connector): void {
  void t.test('a server that accepts connections and says nothing is a 503 after a while, once', async (t) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    // A server that listens on a port has an address.
    const connector = open((server.address() as AddressInfo).port)
    t.teardown(() => connector.disconnect())
    await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
    // None of a busy machine: the time may be over before the connection is taken.
    t.ok(sockets.length <= 1, 'nobody waits as long again')
  })
}
