import { Writable } from 'node:stream'
import { memory } from '@modelwire/connector-memory'
import { mongodb } from '@modelwire/connector-mongodb'
import { sqlite } from '@modelwire/connector-sqlite'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { modelwire } from '@modelwire/core'
import type { Connector, Change } from '@modelwire/core/connector'
import { withoutListening } from '@modelwire/server'
import { until } from '@modelwire/test-waits'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { changes, type ChangeTransport } from '#src/index.ts'
import { openApp } from './open-app.ts'

const warning = 'the data source keeps no change log: only changes made by this process are reported'

/** Takes the messages of a log of warnings and errors. */
function messages() {
  const told: string[] = []
  const log = new Writable({
    write: (line: Buffer, _encoding, done) => {
      const { level, msg } = JSON.parse(String(line)) as { level: number; msg: string } // as the logger writes it
      if (level >= 40) told.push(msg)
      done()
    }
  })
  return { told, log }
}

const singleServer = async (t: Test): Promise<string> => {
  const server = await startOwnServer({ keepsCommands: false })
  t.teardown(() => server.stop())
  return `${server.url}/alone`
}

const kinds: Readonly<Record<string, (t: Test) => Promise<Connector>>> = {
  memory: async () => memory(),
  'a single server of MongoDB': async (t) => mongodb({ url: await singleServer(t) })
}

for (const [name, connect] of Object.entries(kinds))
  t.test(`${name}: it is said that there is no log, and changes are heard of in the process`, async (t) => {
    const { told, log } = messages()
    const app = await openApp(t, { connector: await connect(t), log })
    t.same(told, [warning])
    t.equal(app.models.changeLogs.size, 0)
    const heard: Change[] = []
    app.models.changes.subscribe('Item', (change) => heard.push(change))
    const Item = app.models.get('Item')
    const made = await Item.create({ name: 'a' })
    await Item.destroyAll({ name: 'a' })
    t.match(heard, [
      { kind: 'create', id: made['id'], after: { name: 'a' } },
      { kind: 'remove', removed: [{ name: 'a' }] }
    ])
    const stream = await Item.createChangeStream()
    t.teardown(() => stream.destroy())
    await Item.create({ name: 'b' })
    t.match(await stream[Symbol.asyncIterator]().next(), { value: { type: 'create', data: { name: 'b' } } })
  })

t.test('a server that comes later, and is a single one, is found to have no log', async (t) => {
  const first = await startOwnServer({ keepsCommands: false })
  const place = Number(new URL(first.url).port)
  await first.stop()
  const connector = mongodb({ url: `${first.url}/later`, lazyConnect: true, connectTimeout: 200 })
  const { told, log } = messages()
  const app = await openApp(t, { connector, migrates: false, log })
  t.equal(app.models.changeLogs.size, 1, 'nothing is known of the server')
  const followed = app.models.changeLogs.get('db')
  await t.rejects(async () => followed?.heard(), { code: 'DATA_SOURCE_UNAVAILABLE' })
  const server = await startOwnServer({ keepsCommands: false, port: place })
  t.teardown(() => server.stop())
  await until(
    () => app.models.changeLogs.size === 0,
    () => `no log, ${told.join()}`
  )
  t.match(told, [/cannot be read/, warning])
  await t.rejects(async () => followed?.heard(), { code: 'NOT_IMPLEMENTED' })
})

t.test('settings in the place of a transport are refused', async (t) => {
  const transport = { type: 'redis' } as unknown as ChangeTransport
  await t.rejects(openApp(t, { connector: memory(), transport }), {
    code: 'OPTION_INVALID',
    where: { key: 'transport' },
    message: /makeTransport/
  })
})

t.test('the logs are read once', async (t) => {
  const app = Fastify()
  t.teardown(async () => app.close())
  await app.register(modelwire, { dataSources: {}, models: [] })
  await app.register(changes)
  await t.rejects(async () => app.register(changes), { code: 'OPTION_INVALID', message: /already registered/ })
})

t.test('commands of an application do not read the log, whose tables may not be there', async (t) => {
  const { told, log } = messages()
  const parts = { connector: sqlite({ file: ':memory:' }), migrates: false, log }
  const app = await withoutListening(async () => openApp(t, parts))
  await app.ready()
  await app.close()
  t.strictSame(told, [])
  const other = await openApp(t, { ...parts, connector: sqlite({ file: ':memory:' }) })
  await other.ready()
  await until(() => told.length === 1, 'a server to look')
  t.strictSame(told, ['the change log cannot be read: changes are not reported'])
})
