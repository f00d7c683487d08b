import { ModelRegistry } from '@modelwire/core'
import { mysql } from '@modelwire/connector-mysql'
import type { Connector } from '@modelwire/core/connector'
import t from 'tap'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'

const unavailable = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }

void t.test('a database that nobody serves is a 503, at the start and later', async (t) => {
  const settings = { url: 'mysql://root@127.0.0.1:1/nothing' }
  await t.rejects(mysql(settings).connect(), unavailable)
  const lazy = mysql({ ...settings, lazyConnect: true })
  await lazy.connect()
  await t.rejects(lazy.ping(), unavailable)
  await lazy.disconnect()
})

const refusal = 'a server that lets nobody in can be reached: the start says what it refuses'

void t.test(refusal, { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const elsewhere = (change: (url: URL) => void): Connector => {
    const url = new URL(database.url)
    change(url)
    const connector = mysql({ url: url.href, connectionLimit: 1 })
    t.teardown(() => connector.disconnect())
    return connector
  }
  const nobody = elsewhere((url) => Object.assign(url, { username: 'modelwire_nobody', password: 'wrong' }))
  await t.rejects(nobody.connect(), { ...unavailable, message: /refuses the user or password/ })
  const nowhere = elsewhere((url) => (url.pathname = '/modelwire_nowhere'))
  await t.rejects(nowhere.connect(), { ...unavailable, message: /no database of this name/ })
})

void t.test('with a real server', { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())

  await t.test('a statement that takes too long is ended with a code', async (t) => {
    const registry = new ModelRegistry()
    registry.addDataSource('db', mysql({ url: database.url, statementTimeout: 200 }))
    registry.define({ name: 'Slow', properties: { id: { type: 'number', id: true }, nap: 'number' } })
    registry.attach('Slow', 'db')
    t.teardown(() => registry.disconnect())
    await runOn(database.url, 'create view Slow as select 1 as id, sleep(2) as nap')
    await t.rejects(registry.get('Slow').find(), { code: 'STATEMENT_TIMEOUT', statusCode: 503 })
    await registry.dataSources.get('db')?.connector.ping()
  })

  await t.test('the connection of such a statement goes on', async (t) => {
    const connector = mysql({ url: database.url, statementTimeout: 200, connectionLimit: 1 })
    t.teardown(() => connector.disconnect())
    const late = { code: 'STATEMENT_TIMEOUT', statusCode: 503 }
    const before = await connector.execute?.('select connection_id() as id')
    await t.rejects(async () => connector.execute?.('select sleep(300)'), late)
    await t.rejects(async () => connector.transaction?.(async () => connector.execute?.('select sleep(300)')), late)
    t.same(await connector.execute?.('select connection_id() as id'), before)
  })

  await t.test('whoever waits too long for a connection is told', async (t) => {
    const connector = mysql({ url: database.url, connectionLimit: 1, connectTimeout: 1000 })
    t.teardown(() => connector.disconnect())
    const resolves: (() => void)[] = []
    const busy = connector.transaction?.(() => new Promise<void>((resolve) => resolves.push(resolve)))
    await t.rejects(connector.ping(), unavailable)
    resolves[0]?.()
    await busy
    await connector.ping()
  })
})
