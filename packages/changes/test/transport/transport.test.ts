import assert from 'node:assert/strict'
import { sqlite } from '@modelwire/connector-sqlite'
import { until } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { Change } from '@modelwire/core/connector'
import t from 'tap'
import { decodeRow, encodeRow, makeTransport } from '#src/index.ts'
import { sourceThrough } from '#src/transport/through-transport.ts'
import { databases } from '../databases.ts'
import { openApp } from '../open-app.ts'
import { fakeLog } from './fake-log.ts'
import { fakeServer } from './fake-transport.ts'

/** MongoDB refuses other keys. */
const plainKey = fc.string().filter((key) => !/[$.\0]/.test(key))
const hasPlainKeys = (value: unknown): boolean => !/[$.\0]/.test(JSON.stringify(value))

/** Values of all properties. */
const data = fc.record(
  {
    name: fc.string({ unit: 'grapheme' }),
    price: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
    count: fc.maxSafeInteger(),
    active: fc.boolean(),
    added: fc.date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true }),
    tags: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
    meta: fc.dictionary(plainKey, fc.jsonValue().filter(hasPlainKeys), { maxKeys: 3, noNullPrototype: true }),
    place: fc.record({ lat: fc.integer({ min: -90, max: 90 }), lng: fc.integer({ min: -180, max: 180 }) }),
    picture: fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes))
  },
  { requiredKeys: [] }
)

for (const { name, skip, create } of databases)
  t.test(`${name}: rows of its log go through a stream as they are`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    const app = await openApp(t, { connector: database.connect() })
    const { connector } = app.models.dataSources.get('db') ?? {}
    const log = connector?.changeLog?.([app.models.typeOf('Item')])
    const start = String(await log?.latest())
    const rows = fc.sample(data, 60).filter((row) => !JSON.stringify(row).includes(String.raw`\u0000`))
    for (const row of rows) await app.models.get('Item').create(row)
    const entries = (await log?.read(start, 100)) ?? []
    t.equal(entries.length, rows.length)
    for (const { row } of entries) assert.deepStrictEqual(decodeRow(encodeRow(row)), { ...row })
  })

t.test('a position that is none of the log is unknown with a stream as well', async (t) => {
  const database = await databases[0]?.create()
  const server = fakeServer()
  t.teardown(async () => database?.drop())
  const app = await openApp(t, { connector: database?.connect() ?? sqlite({}), transport: server.transport })
  const log = app.models.changeLogs.get('db')
  await app.models.get('Item').create({ name: 'a' })
  await until(() => server.entries.length > 0, 'the stream to begin')
  await log?.heard()
  // Any 16 bytes are some place, most of them beyond the end.
  const lost = { code: 'LOG_POSITION_UNKNOWN' }
  for (const text of ['A', 'B', 'C', 'D']) await t.rejects(async () => log?.read(text.repeat(22), 1), lost)
})

t.test('two processes hear of each change through a stream, with the whole record', async (t) => {
  const database = await databases[0]?.create()
  const server = fakeServer()
  const connect = (): ReturnType<typeof sqlite> => (database?.connect() ?? sqlite({})) as ReturnType<typeof sqlite> // it is one
  t.teardown(async () => database?.drop())
  const writer = await openApp(t, { connector: connect(), transport: server.transport })
  const reader = await openApp(t, { connector: connect(), transport: server.transport, migrates: false })
  const log = reader.models.changeLogs.get('db')
  await writer.models.changeLogs.get('db')?.heard()
  const start = String(await log?.heard())
  await until(() => server.entries.length > 0, 'the stream to begin')
  const heard: Change[] = []
  reader.models.changes.subscribe('Item', (change) => heard.push(change))
  const [row] = fc.sample(data, 1)
  const made = await writer.models.get('Item').create({ ...row, name: 'made' })
  await made.patchAttributes({ active: null, picture: Buffer.from([1]) })
  await made.destroy()
  await until(() => heard.length === 3, 'three changes')
  t.same(
    heard.map(({ kind }) => kind),
    ['create', 'update', 'remove']
  )
  t.match(heard[1]?.after, { name: 'made', picture: Buffer.from([1]) })
  const again = await log?.read(String(heard[0]?.position), 10)
  t.strictSame(
    again?.map(({ change }) => ({ ...change })),
    heard.slice(1)
  )
  t.equal((await log?.read(start, 10))?.length, 3)
})

t.test('a log without an order is read by each process, which is said', async (t) => {
  const { order: _order, ...source } = fakeLog()
  const said: unknown[] = []
  const say = (...facts: readonly unknown[]): void => void said.push(facts)
  const log = { info: say, warn: say, error: say }
  const parts = { source, dataSource: 'db', models: [], pollInterval: 1 }
  t.equal(sourceThrough(fakeServer().transport, parts, log), source)
  t.match(said, [[{ dataSource: 'db', transport: 'memory' }, /each process reads its log/]])
  t.equal(sourceThrough(undefined, parts, log), source)
  t.equal(said.length, 1)
})

t.test('a transport says whether it can be used', async (t) => {
  const database = await databases[0]?.create()
  const server = fakeServer()
  t.teardown(async () => database?.drop())
  const app = await openApp(t, { connector: database?.connect() ?? sqlite({}), transport: server.transport })
  const health = app.models.healthChecks.find(({ kind }) => kind === 'changeTransports')
  t.equal(health?.name, 'db')
  await until(() => server.entries.length > 0, 'the stream to begin')
  await health?.check()
  const isUp = async (): Promise<boolean> => {
    const [{ status }] = await Promise.allSettled([health?.check()])
    return status === 'fulfilled'
  }
  server.isDown = true
  await until(async () => !(await isUp()), 'the transport to be down')
  await t.rejects(async () => health?.check(), { code: 'CHANGE_TRANSPORT_FAILED' })
  server.isDown = false
  await until(isUp, 'the transport to be up')
})

t.test('a transport is made of plain settings by the module of its type', async (t) => {
  const { transport } = fakeServer()
  const asked: unknown[] = []
  const load = async (name: string): Promise<unknown> => ({
    default: (settings: object) => {
      asked.push(name, settings)
      return transport
    }
  })
  t.equal(await makeTransport({ type: 'redis', url: 'redis://x' }, load), transport)
  t.equal(await makeTransport({ type: 'nats' }, load), transport)
  t.same(asked, ['@modelwire/redis/changes', { url: 'redis://x' }, '@modelwire/changes/nats', {}])
  const unknown = { type: 'constructor' } as unknown as Parameters<typeof makeTransport>[0]
  await t.rejects(makeTransport(unknown, load), { code: 'OPTION_INVALID', where: { key: 'transport.type' } })
  const missing = makeTransport({ type: 'redis' }, async () => Promise.reject(new Error('not found')))
  await t.rejects(missing, { code: 'OPTION_INVALID', message: /npm install @modelwire\/redis @modelwire\/changes \(/ })
  const withoutClient = makeTransport({ type: 'nats' }, async () => Promise.reject(new Error('not found')))
  await t.rejects(withoutClient, {
    message: /npm install .*@nats-io\/jetstream @nats-io\/kv @nats-io\/transport-node \(/
  })
})
