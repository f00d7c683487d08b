import { ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { silentServerTest } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'

const endOthers =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
const unavailable = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }

void t.test('a database that nobody serves is a 503, at the start and later', async (t) => {
  const settings = { url: 'postgres://postgres@127.0.0.1:1/nothing' }
  await t.rejects(postgresql(settings).connect(), unavailable)
  const lazy = postgresql({ ...settings, lazyConnect: true })
  await lazy.connect()
  await t.rejects(lazy.ping(), unavailable)
  await lazy.disconnect()
})

silentServerTest((port) => postgresql({ url: `postgres://postgres@127.0.0.1:${port}/nothing`, connectTimeout: 200 }))

async function answers(connector: ReturnType<typeof postgresql>): Promise<boolean> {
  try {
    await connector.ping()
    return true
  } catch {
    return false
  }
}

/** What each case does to connectors of one database. */
const cases: Readonly<Record<string, (t: Test, url: string) => Promise<void>>> = {
  'connections that the server ended are replaced': async (t, url) => {
    const connector = postgresql({ url, max: 3 })
    t.teardown(() => connector.disconnect())
    await Promise.all([connector.ping(), connector.ping(), connector.ping()])
    await runOn(url, endOthers)
    // One that is used before the end of it has been read fails.
    await until(async () => answers(connector), 'a connection in place of those')
    await connector.ping()
  },
  'a statement that takes too long is ended with a code': async (t, url) => {
    const registry = new ModelRegistry()
    registry.addDataSource('db', postgresql({ url, statementTimeout: 150 }))
    registry.define({ name: 'Slow', properties: { id: { type: 'number', id: true }, nap: 'string' } })
    registry.attach('Slow', 'db')
    t.teardown(() => registry.disconnect())
    await runOn(url, 'create view slow as select 1 as id, pg_sleep(5)::text as nap')
    await t.rejects(registry.get('Slow').find(), { code: 'STATEMENT_TIMEOUT', statusCode: 503 })
    await registry.dataSources.get('db')?.connector.ping()
  },
  'whoever waits too long for a connection is told': async (t, url) => {
    const connector = postgresql({ url, max: 1, connectTimeout: 1000 })
    t.teardown(() => connector.disconnect())
    const { promise, resolve } = createSignal()
    const started = createSignal()
    const busy = connector.transaction?.(() => {
      started.resolve()
      return promise
    })
    await started.promise
    await t.rejects(connector.ping(), unavailable)
    resolve()
    await busy
    await connector.ping()
  },
  'a connection that is lost within a transaction ends it': async (t, url) => {
    const connector = postgresql({ url, max: 1 })
    t.teardown(() => connector.disconnect())
    const work = connector.transaction?.(async () => {
      await runOn(url, endOthers)
      await connector.ping()
    })
    await t.rejects(work ?? Promise.resolve(), unavailable)
    await connector.ping()
  }
}

void t.test('with a real server', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  for (const [name, run] of Object.entries(cases)) await t.test(name, async (t) => run(t, database.url))
})

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  const resolves: (() => void)[] = []
  const promise = new Promise<void>((resolve) => resolves.push(resolve))
  return { promise, resolve: () => resolves[0]?.() }
}
