import { ModelRegistry } from '@modelwire/core'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { conditionsOn, filterOf } from '@modelwire/connector-tests'
import { MongoServerError } from 'mongodb'
import t, { type Test } from 'tap'
import { translateError } from '#src/faults/translate-error.ts'
import { mongodb } from '#src/mongodb.ts'

async function open(t: Test, settings: Readonly<Record<string, unknown>> = {}) {
  const server = await startOwnServer()
  const registry = new ModelRegistry()
  registry.define({ name: 'Item', properties: { name: 'string', code: { type: 'string', unique: true } } })
  const connector = mongodb({ url: `${server.url}/faults`, connectTimeout: 1000, ...settings })
  t.teardown(async () => {
    await connector.disconnect()
    await server.stop()
  })
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  const Item = registry.typeOf('Item')
  const { collection } = Item
  if (collection === undefined) throw new Error('Item is not attached')
  return { server, connector, collection, model: Item, on: conditionsOn(Item) }
}

const failure = (code: number, errmsg = 'refused') => ({ ok: 0, code, errmsg, codeName: 'Failed' })

/** The server's numbers, and the codes that stand for them. */
const ofServers: readonly (readonly [number: number, code: string, statusCode: number])[] = [
  [10107, 'DATA_SOURCE_UNAVAILABLE', 503],
  [189, 'DATA_SOURCE_UNAVAILABLE', 503],
  [11600, 'DATA_SOURCE_UNAVAILABLE', 503],
  [18, 'DATA_SOURCE_UNAVAILABLE', 503],
  [50, 'STATEMENT_TIMEOUT', 503],
  [64, 'STATEMENT_TIMEOUT', 503],
  [112, 'TRANSACTION_CONFLICT', 409],
  [251, 'TRANSACTION_CONFLICT', 409],
  [121, 'CONSTRAINT_VIOLATED', 422],
  [10334, 'VALUE_REFUSED', 400],
  [2, 'VALUE_REFUSED', 400],
  [13, 'DATABASE_PERMISSION_DENIED', 500],
  [14031, 'DATABASE_FULL', 507],
  [263, 'NOT_IMPLEMENTED', 501],
  [99999, 'DATABASE_FAILED', 500]
]

void t.test('what a server refuses has a code', async (t) => {
  const { server, collection } = await open(t)
  await collection.insert([{ id: 1, name: 'a' }])
  for (const [number, code, statusCode] of ofServers) {
    server.failNext('update', failure(number))
    await t.rejects(async () => collection.update(undefined, { name: 'b' }), { code, statusCode }, String(number))
  }
  server.failNext('find', failure(51091))
  await t.rejects(async () => collection.find(filterOf({})), { code: 'INVALID_PATTERN', statusCode: 400 })
  server.failNext('find', failure(10334))
  await t.rejects(async () => collection.find(filterOf({})), { code: 'ANSWER_TOO_LARGE', statusCode: 400 })
  t.equal(await collection.count(undefined), 1, 'the next command is served')
})

void t.test('a value that already exists is named with its property', async (t) => {
  const { connector, collection, model, on } = await open(t)
  await connector.migrate?.([model], { empty: false })
  await collection.insert([{ id: 1, code: 'x' }])
  const twice = { code: 'DUPLICATE_KEY', statusCode: 409, property: 'code', value: 'x' }
  await t.rejects(async () => collection.insert([{ code: 'x' }]), twice)
  await t.rejects(async () => collection.insert([{ code: 'y' }, { code: 'x' }]), {
    code: 'DUPLICATE_KEY',
    property: 'code'
  })
  await t.rejects(async () => collection.upsert({ id: 2, code: 'x' }), twice)
  await t.rejects(async () => collection.insert([{ id: 1 }]), { ...twice, property: 'id', value: 1 })
  await collection.insert([{ id: 3, code: 'z' }])
  await t.rejects(async () => collection.update(on.is('id', 'eq', 3), { code: 'x' }), twice)
  await t.rejects(async () => collection.patch?.(on.is('id', 'eq', 3), { code: 'x' }), twice)
  t.equal(await collection.count(undefined), 2)
})

void t.test('a server that is not there stops the start, unless it is not waited for', async (t) => {
  const settings = { url: 'mongodb://127.0.0.1:1/none', connectTimeout: 200 }
  const connector = mongodb(settings)
  await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  await connector.disconnect()
  const lazy = mongodb({ ...settings, lazyConnect: true })
  await lazy.connect()
  await t.rejects(lazy.ping(), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await lazy.disconnect()
})

void t.test('a server that falls silent is given up', async (t) => {
  const { server, collection } = await open(t, { statementTimeout: 200, socketTimeoutMS: 300 })
  server.failNext('find', 'wait')
  server.failNext('update', 'wait')
  const late = { code: 'STATEMENT_TIMEOUT', statusCode: 503 }
  await t.rejects(async () => collection.update(undefined, { name: 'b' }), late)
  t.same(await collection.find(filterOf({})), [], 'a read is tried once more')
})

void t.test('a full pool is a 503', async (t) => {
  const { server, collection } = await open(t, { max: 1, connectTimeout: 200, socketTimeoutMS: 2000 })
  server.failNext('update', 'wait')
  const waiting = collection.update(undefined, { name: 'b' })
  await t.rejects(async () => collection.count(undefined), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  await t.rejects(async () => waiting, { code: 'STATEMENT_TIMEOUT' })
})

void t.test('a read whose client left is given up', async (t) => {
  const { server, collection } = await open(t)
  server.failNext('find', 'wait')
  const controller = new AbortController()
  const reading = collection.find(filterOf({}), { signal: controller.signal })
  setImmediate(() => controller.abort())
  await t.rejects(async () => reading, { code: 'STATEMENT_CANCELLED', statusCode: 499 })
  t.same(await collection.find(filterOf({})), [])
})

void t.test('a document over the limit is refused, and nothing is stored', async (t) => {
  const { collection } = await open(t)
  const name = 'x'.repeat(17 * 1024 * 1024)
  const refused = { code: 'VALUE_REFUSED', statusCode: 400 }
  await t.rejects(async () => collection.insert([{ name }]), refused)
  await t.rejects(async () => collection.insert([{ name: 'a' }, { name }]), refused)
  t.equal(await collection.count(undefined), 0)
  await collection.insert([{ id: 1, name: 'a' }])
  await t.rejects(async () => collection.update(undefined, { name }), refused)
  await t.rejects(async () => collection.upsert({ id: 1, name }), refused)
  await t.rejects(async () => collection.replace(1, { id: 1, name }), refused)
  t.match(await collection.find(filterOf({})), [{ id: 1, name: 'a' }])
})

void t.test('a data source that is disconnected says so', async (t) => {
  const { connector, collection } = await open(t)
  await connector.disconnect()
  await t.rejects(async () => collection.find(filterOf({})), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await connector.connect()
  t.same(await collection.find(filterOf({})), [])
})

void t.test('a server that refuses the user or password can be reached', (t) => {
  const error = translateError(new MongoServerError({ message: 'Authentication failed.', code: 18 }))
  t.match(error, {
    code: 'DATA_SOURCE_UNAVAILABLE',
    statusCode: 503,
    message: /refuses the user or password.*authSource/
  })
  t.end()
})

void t.test('what the driver lets through of a socket that broke is a lost connection', (t) => {
  for (const code of ['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'])
    t.match(translateError(Object.assign(new Error('gone'), { code })), {
      code: 'DATA_SOURCE_UNAVAILABLE',
      statusCode: 503
    })
  const other = Object.assign(new Error('of a hook'), { code: 'ERR_INVALID_ARG_TYPE' })
  t.equal(translateError(other), other)
  t.end()
})

void t.test('a name that the name service does not know is a data source that cannot be reached', async (t) => {
  const connector = mongodb({ url: 'mongodb+srv://cluster.nowhere.invalid/shop', connectTimeout: 2000 })
  await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  await connector.disconnect()
})
