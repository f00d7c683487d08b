import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { noRecords } from '#src/connector/collections.ts'
import type { ConnectorMethods } from '#src/contract/data-source.ts'
import type { Connector } from '#src/contract/connector.ts'
import type { CoreOptions, ModelDefinition } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'

const doors: ConnectorMethods = {
  open: { run: async (name) => `opened ${String(name)}`, givesPromise: true, remote: { http: { verb: 'get' } } },
  count: { run: () => 7 },
  'prototype.close': {
    run(this: unknown) {
      return this
    }
  }
}

const bringing = (methods: ConnectorMethods): Connector => ({
  name: 'doors',
  ...noRecords,
  connect: async () => {},
  disconnect: async () => {},
  ping: async () => {},
  methods: () => methods
})

const build = (models: ModelDefinition[], options: CoreOptions = {}) =>
  buildRegistry({ dataSources: { doors: bringing(doors), db: memory() }, models, ...options }, () => {})

/** Calls a method that types do not know. */
const call = (owner: object, name: string, ...args: unknown[]): unknown => {
  const method: unknown = Reflect.get(owner, name)
  return typeof method === 'function' ? Reflect.apply(method, owner, args) : 'none'
}

t.test('a model has the methods of its connector, and its records those of records', async (t) => {
  const registry = build([{ name: 'Gate', base: 'Model', dataSource: 'doors' }])
  const Gate = registry.get('Gate')
  t.equal(await call(Gate, 'open', 'north'), 'opened north')
  t.equal(call(Gate, 'count'), 7, 'in place of its own of that name')
  const gate = new Gate({})
  t.equal(call(gate, 'close'), gate)
  t.strictSame([...registry.typeOf('Gate').methods.specs.keys()], ['open'], 'clients may call what says so')
  t.notOk(Object.keys(Gate).includes('open'))
})

t.test('what the model declares of a method counts more', async (t) => {
  const methods = { open: { http: { verb: 'post', path: '/gate' } } }
  const registry = build([{ name: 'Gate', base: 'Model', dataSource: 'doors', methods }])
  t.match(registry.typeOf('Gate').methods.specs.get('open'), methods.open)
})

t.test('methods that give promises are offered as the application wants', async (t) => {
  const offerMethod: CoreOptions['offerMethod'] = (method) =>
    async function (this: unknown, ...args) {
      return [await method.apply(this, args)]
    }
  const registry = build([{ name: 'Gate', base: 'Model', dataSource: 'doors' }], { offerMethod })
  t.strictSame(await call(registry.get('Gate'), 'open', 'north'), ['opened north'])
  t.equal(call(registry.get('Gate'), 'count'), 7, 'the others as they are')
})

t.test('another data source takes them away', async (t) => {
  const registry = build([{ name: 'Gate', dataSource: 'doors' }])
  registry.attach('Gate', 'db')
  t.equal(call(registry.get('Gate'), 'open'), 'none')
  t.equal(await registry.get('Gate').count(), 0)
  t.equal(registry.typeOf('Gate').methods.specs.size, 0)
  registry.attach('Gate', 'doors')
  registry.typeOf('Gate').methods.declare('open', { http: { verb: 'post' } })
  registry.attach('Gate', null)
  t.equal(registry.typeOf('Gate').methods.specs.size, 1, 'what was declared since stays')
})

t.test('there are no records where a connector has methods alone', async (t) => {
  const Gate = build([{ name: 'Gate', dataSource: 'doors' }]).get('Gate')
  await t.rejects(Gate.find(), { code: 'NOT_IMPLEMENTED' })
  await t.rejects(Gate.create({}), { code: 'NOT_IMPLEMENTED' })
})

t.test(
  "an application's own functions are there again without the connector, and stay where they came later",
  async (t) => {
    const registry = build([{ name: 'Gate', dataSource: null }])
    const Gate = registry.get('Gate')
    Object.assign(Gate, { open: () => 'own' })
    registry.attach('Gate', 'doors')
    t.equal(await call(Gate, 'open', 'north'), 'opened north')
    registry.attach('Gate', null)
    t.equal(call(Gate, 'open'), 'own', 'replaced for a time')
    registry.attach('Gate', 'doors')
    Object.assign(Gate, { open: () => 'later' })
    registry.attach('Gate', 'doors')
    t.equal(await call(Gate, 'open', 'north'), 'opened north', 'as at first')
    Object.assign(Gate, { open: () => 'later' })
    registry.attach('Gate', 'db')
    t.equal(call(Gate, 'open'), 'later')
  }
)

t.test(
  'methods that a connector knows once it is connected take the place of no function of the application',
  async (t) => {
    let known: ConnectorMethods = {}
    const connector = { ...bringing({}), methods: () => known, connect: async () => void (known = doors) }
    const models: ModelDefinition[] = [
      { name: 'Gate', dataSource: 'late' },
      { name: 'Port', base: 'Gate', dataSource: 'late' }
    ]
    const registry = build(models, { dataSources: { late: connector } })
    const [Gate, Port] = [registry.get('Gate'), registry.get('Port')]
    Object.assign(Gate, { open: () => 'own' })
    await registry.connect()
    t.equal(call(Gate, 'open'), 'own')
    t.equal(call(Port, 'open'), 'own', 'nor of a model that extends it')
    t.equal(call(Gate, 'count'), 7, 'the others are there')
  }
)
