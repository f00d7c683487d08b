import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { carelessModule } from './careless-driver.ts'
import { loadModule } from './load-module.ts'

/** A module whose connector has these members. */
const moduleOf = (members: object, error?: Error) => ({
  initialize: (dataSource: object, callback: (failure?: Error) => void) => {
    Reflect.set(dataSource, 'connector', { name: 'own', ...members })
    process.nextTick(callback, error)
  }
})

async function attach(t: Test, module: unknown, settings: object = {}) {
  const registry = new ModelRegistry()
  registry.define({ name: 'Thing', properties: { label: 'string' } })
  const connector = loopback(module, { name: 'db', ...settings })
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  registry.attach('Thing', 'db')
  return { connector, type: registry.typeOf('Thing') }
}

void t.test('a module that makes no connector is refused', async (t) => {
  for (const module of [{}, null, 'text', { initialize: 1 }])
    t.throws(() => loopback(module), { code: 'CONNECTOR_INVALID' })
  const silent = loopback({ initialize: (_dataSource: object, callback: () => void) => callback() })
  await t.rejects(silent.connect(), { code: 'CONNECTOR_INVALID' })
})

void t.test('a module may be a constructor of settings', async (t) => {
  class Plain {
    readonly name = 'plain'
    readonly colour: unknown
    constructor({ colour }: Record<string, unknown>) {
      this.colour = colour
    }
  }
  const { connector } = await attach(t, Plain, { colour: 'red' })
  await connector.connect()
  t.match(connector.scriptConnector, { name: 'plain', colour: 'red' })
  t.equal(connector.name, 'plain')
})

void t.test('a connection that fails stops the start unless it is lazy', async (t) => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const connect = (callback: (error: Error) => void): void => callback(refused)
  const unavailable = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }
  const { connector } = await attach(t, moduleOf({ connect }, refused))
  await t.rejects(connector.connect(), unavailable)
  const { connector: lazy, type } = await attach(t, moduleOf({ connect }), { lazyConnect: true })
  await lazy.connect()
  await t.rejects(async () => type.collection?.find({ order: [], skip: 0 }), unavailable)
  await t.rejects(lazy.ping(), unavailable)
})

void t.test('errors of a connector keep their status, or have a code', async (t) => {
  const failing = (error: unknown) =>
    moduleOf({ all: (_m: string, _f: object, _o: object, callback: (failure: unknown) => void) => callback(error) })
  const find = async (error: unknown) => {
    const { type } = await attach(t, failing(error))
    return type.collection?.find({ order: [], skip: 0 })
  }
  await t.rejects(find(new Error('broken')), {
    code: 'CONNECTOR_FAILED',
    statusCode: 500,
    cause: { message: 'broken' }
  })
  await t.rejects(find('a text'), { code: 'CONNECTOR_FAILED', cause: { message: 'a text' } })
  await t.rejects(find(Object.assign(new Error('gone'), { statusCode: 410 })), { message: 'gone' })
})

void t.test('a connector that cannot do something says so', async (t) => {
  const { connector, type } = await attach(t, moduleOf({}))
  const missing = { code: 'NOT_IMPLEMENTED', statusCode: 501 }
  await t.rejects(async () => type.collection?.find({ order: [], skip: 0 }), missing)
  await t.rejects(async () => connector.transaction?.(async () => 1), missing)
  await t.rejects(async () => connector.migrate?.([], { empty: true }), missing)
  t.match(await connector.migrate?.([], { empty: false }), { steps: [] })
})

void t.test('capabilities say what the connector is', async (t) => {
  t.match(loopback(carelessModule()).capabilities, {
    generatedIdType: 'number',
    storesUndeclared: true,
    transactions: false,
    atomicity: 'process'
  })
  t.match(loopback(moduleOf({})).capabilities, { generatedIdType: 'declared' })
})

void t.test("the definitions of models are those that LoopBack's connectors expect", async (t) => {
  const module = loadModule('loopback-datasource-juggler/lib/connectors/memory')
  const { connector } = await attach(t, module)
  await connector.connect()
  const { Thing } = Reflect.get(connector.scriptConnector as object, '_models') as Record<
    string,
    Record<string, unknown>
  >
  t.match(Thing?.['properties'], { label: { type: String }, id: { type: Number, id: 1, generated: true } })
  const model = Thing?.['model'] as { modelName: string; definition: { idName: () => string }; dataSource: object }
  t.equal(model.modelName, 'Thing')
  t.equal(model.definition.idName(), 'id')
  t.match(model.dataSource, { name: 'db', settings: { name: 'db' }, connected: true })
  t.match(connector.scriptMembers, { on: Function, once: Function, emit: Function })
})
