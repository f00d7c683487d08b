import { memory } from '@modelwire/connector-memory'
import fastify, { type FastifyInstance } from 'fastify'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import type { Connector } from '#src/contract/connector.ts'
import { modelwire, type CoreOptions } from '#src/index.ts'

type Test = Pick<typeof t, 'teardown'>

async function start(test: Test, options: CoreOptions): Promise<FastifyInstance> {
  const app = fastify()
  test.teardown(() => app.close())
  await app.register(modelwire, options)
  return app
}

/** A connector that writes down when it is opened and closed. */
function makeConnector(log: string[]): Connector {
  return Object.assign(memory(), {
    connect: async () => void log.push('connect'),
    disconnect: async () => void log.push('disconnect')
  })
}

t.test('the server has the models, for all of its parts', async (t) => {
  const app = await start(t, {
    dataSources: { db: memory() },
    models: [{ name: 'Note', properties: { text: 'string' } }]
  })
  await app.register(async (scope) => t.equal(scope.models, app.models))
  t.match(await app.models.get('Note').create({ text: 'a' }), { text: 'a', id: 1 })
  t.strictSame(app.models.names(), ['Note'])
})

t.test('a server has models once', async (t) => {
  const app = await start(t, { models: [{ name: 'Note' }] })
  const again = app.register(modelwire, { models: [{ name: 'Memo' }] })
  await t.rejects(async () => again, { code: 'OPTION_INVALID', message: /already registered on this server/ })
})

t.test('models are properties of the registry, by name', async (t) => {
  const app = await start(t, { models: [{ name: 'Note' }, { name: 'find' }, { name: 'constructor' }] })
  const { Note } = app.models as unknown as Record<string, unknown>
  t.equal(Note, app.models.get('Note'))
  t.equal(typeof app.models.find, 'function')
  t.equal(app.models.find('find')?.name, 'find')
  t.equal(app.models.get('constructor').modelName, 'constructor')
})

t.test('models come as a list or by name, in any order', async (t) => {
  const [memo, note] = [{ name: 'Memo', base: 'Note' }, { name: 'Note' }]
  for (const models of [[memo, note], { Memo: memo, Note: note }]) {
    const app = await start(t, { models })
    t.strictSame(app.models.names(), ['Note', 'Memo'])
  }
})

t.test('the only data source is that of every model without one', async (t) => {
  const models = [{ name: 'A' }, { name: 'B', dataSource: null }, { name: 'C', dataSource: 'db' }]
  const { models: registry } = await start(t, { dataSources: { db: memory() }, models })
  t.strictSame(
    models.map(({ name }) => registry.typeOf(name).dataSource?.name),
    ['db', undefined, 'db']
  )
  const two = await start(t, { dataSources: { db: memory(), other: memory() }, models: [{ name: 'A' }] })
  t.equal(two.models.typeOf('A').dataSource, undefined)
})

t.test('a data source may have settings', async (t) => {
  const connector = memory()
  const app = await start(t, { dataSources: { db: { connector, settings: { host: 'h' } }, plain: { connector } } })
  t.match(app.models.dataSources.get('db'), { name: 'db', connector, settings: { host: 'h' } })
  t.match(app.models.dataSources.get('plain'), { connector, settings: {} })
})

t.test('connectors are opened with the server and closed with it', async (t) => {
  const log: string[] = []
  const app = await start(t, { dataSources: { db: makeConnector(log) } })
  t.strictSame(log, [])
  await app.ready()
  t.strictSame(log, ['connect'])
  await app.close()
  t.strictSame(log, ['connect', 'disconnect'])
})

const failToConnect = () => Promise.reject(new TypeError('no database'))

t.test('a connector that cannot connect keeps the server from starting', async (t) => {
  const app = await start(t, { dataSources: { db: Object.assign(memory(), { connect: failToConnect }) } })
  await t.rejects(async () => app.ready(), { message: 'no database' })
})

t.test('a listener that fails is told to the log and disturbs nobody', async (t) => {
  const lines: string[] = []
  const app = fastify({ logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [{ name: 'Note' }] })
  app.models.changes.subscribe('Note', () => {
    throw new TypeError('listener')
  })
  t.match(await app.models.get('Note').create({}), { id: 1 })
  t.match(lines, [/a change listener failed/])
})

const wrong: readonly (readonly [options: object, key: string])[] = [
  [{ version: 4 }, 'version'],
  [{ version: '3' }, 'version'],
  [{ compat: 'yes' }, 'compat'],
  [{ model: [] }, 'model'],
  [{ datasources: {} }, 'datasources'],
  [{ models: 'Note' }, 'models'],
  [{ models: [null] }, 'models'],
  [{ models: [{}] }, 'models'],
  [{ dataSources: { db: {} } }, 'dataSources.db'],
  [{ dataSources: { db: { connector: {} } } }, 'dataSources.db'],
  [{ dataSources: [] }, 'dataSources'],
  [{ modelBase: {} }, 'modelBase'],
  [{ callMethod: 'x' }, 'callMethod']
]

t.test('unknown and malformed options are refused by name', async (t) => {
  for (const [options, key] of wrong) {
    await t.rejects(start(t, options), { code: 'OPTION_INVALID', where: { key } }, JSON.stringify(options))
  }
})

t.test('definitions that are wrong are refused with their code', async (t) => {
  await t.rejects(start(t, { models: [{ name: 'Memo', base: 'Note' }] }), { code: 'BASE_MODEL_UNKNOWN' })
  await t.rejects(start(t, { models: [{ name: 'Note', dataSource: 'db' }] }), { code: 'DATA_SOURCE_UNKNOWN' })
  await t.rejects(start(t, { models: [{ name: 'Note' }, { name: 'Note' }] }), { code: 'MODEL_DEFINED_TWICE' })
})

t.test('a model stands under its own name', async (t) => {
  const models = { Product: { name: 'Product' }, Things: { name: 'Thing' } }
  await t.rejects(start(t, { models }), {
    code: 'OPTION_INVALID',
    where: { key: 'models.Things' },
    message: /"Thing"/
  })
})

t.test('a server purges from time to time until it closes', async (t) => {
  const app = fastify()
  const ran: string[] = []
  await app.register(modelwire, { purgeInterval: 0.02 })
  app.models.addPurge({ name: 'a', run: () => ran.push('a') })
  await app.ready()
  await until(() => ran.length > 1, 'two rounds')
  await app.close()
  const { length } = ran
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(ran.length, length)
})
