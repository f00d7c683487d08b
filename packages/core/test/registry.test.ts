import { memory, transient } from '@modelwire/connector-memory'
import t from 'tap'
import { Model, ModelRegistry, type ModelDefinition } from '#src/index.ts'

t.test('a model extends PersistedModel unless it says otherwise', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note' })
  registry.define({ name: 'Plain', base: 'Model' })
  registry.define({ name: 'Bare', base: null })
  registry.define({ name: 'Memo', base: 'Note' })
  const facts = (name: string) => [registry.typeOf(name).base?.name, registry.typeOf(name).persisted]
  t.strictSame(facts('Note'), ['PersistedModel', true])
  t.strictSame(facts('Plain'), ['Model', false])
  t.strictSame(facts('Bare'), ['Model', false])
  t.strictSame(facts('Memo'), ['Note', true])
  t.ok(registry.get('Memo').prototype instanceof registry.typeOf('Note').modelClass)
  t.equal(registry.get('Memo').name, 'Memo')
  t.strictSame(registry.names(), ['Note', 'Plain', 'Bare', 'Memo'])
})

const refused: readonly (readonly [definition: object, code: string, key: string | undefined])[] = [
  [{ name: 'Note' }, 'MODEL_DEFINED_TWICE', undefined],
  [{ name: 'PersistedModel' }, 'MODEL_DEFINED_TWICE', undefined],
  [{ name: 'A', base: 'Nowhere' }, 'BASE_MODEL_UNKNOWN', 'base'],
  [{ name: 'A', properties: { 'a.b': 'string' } }, 'PROPERTY_NAME_HAS_DOT', 'properties.a.b'],
  [{ name: 'A', properties: { a: null } }, 'PROPERTY_TYPE_UNKNOWN', 'properties.a'],
  [{ name: 'A', mixins: { Nothing: true } }, 'MIXIN_UNKNOWN', 'mixins.Nothing'],
  [{ name: 'File' }, 'MODEL_NAME_RESERVED', 'name'],
  [{ hidden: true }, 'MODEL_DEFINITION_INVALID', 'name']
]

t.test('what cannot be defined is refused with code, key and file', async (t) => {
  for (const [definition, code, key] of refused) {
    const registry = new ModelRegistry()
    registry.define({ name: 'Note' })
    const where = key === undefined ? { file: 'f.json' } : { file: 'f.json', key }
    const define = () => registry.define(definition as ModelDefinition, { file: 'f.json' })
    t.throws(define, { code, where }, JSON.stringify(definition))
    t.strictSame(registry.names(), ['Note'], 'nothing is left behind')
  }
})

t.test('a model is attached to a data source and detached', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note' })
  registry.addDataSource('db', memory(), { file: 'x' })
  t.throws(() => registry.attach('Note', 'nowhere'), { code: 'DATA_SOURCE_UNKNOWN', where: { model: 'Note' } })
  t.throws(() => registry.attach('Nobody', 'db'), { code: 'MODEL_UNKNOWN' })
  await t.rejects(registry.get('Note').find(), { code: 'NOT_IMPLEMENTED', statusCode: 501 })
  registry.attach('Note', 'db')
  t.strictSame(await registry.get('Note').find(), [])
  registry.attach('Note', null)
  await t.rejects(registry.get('Note').find(), { code: 'NOT_IMPLEMENTED' })
})

t.test('an injected id takes the type that the connector makes, a declared one keeps its own', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', transient())
  registry.define({ name: 'Note' })
  registry.define({ name: 'Own', properties: { id: { type: 'number', id: true, generated: true } } })
  registry.define({ name: 'Plain', properties: { id: 'string' } })
  for (const name of ['Note', 'Own', 'Plain']) registry.attach(name, 'db')
  t.equal(registry.typeOf('Note').idProperty?.type.kind, 'string')
  t.equal(registry.typeOf('Plain').idProperty?.type.kind, 'string', 'a property of its name is no id of its own')
  t.equal(registry.typeOf('Own').idProperty?.type.kind, 'number')
})

t.test('unknown models are told', async (t) => {
  const registry = new ModelRegistry()
  t.equal(registry.find('Nobody'), undefined)
  t.throws(() => registry.typeOf('Nobody'), { code: 'MODEL_UNKNOWN', where: { model: 'Nobody' } })
  t.throws(() => registry.get('__proto__'), { code: 'MODEL_UNKNOWN' })
})

t.test('a property may be added later', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Note', properties: { size: 'string' } })
  registry.attach('Note', 'db')
  registry.defineProperty('Note', 'at', 'date')
  registry.defineProperty('Note', 'size', { type: 'number', default: 7 })
  t.match(await registry.get('Note').create({ at: '2020-01-01' }), { at: new Date('2020-01-01'), size: 7, id: 1 })
  registry.defineProperty('Note', 'name', { type: 'string', required: true, hidden: true })
  await t.rejects(registry.get('Note').create({}), { code: 'VALIDATION_FAILED' })
  t.strictSame((await registry.get('Note').create({ name: 'x' })).toJSON(), { size: 7, id: 2 })
  t.throws(() => registry.defineProperty('Note', 'a.b', 'string'), { code: 'PROPERTY_NAME_HAS_DOT' })
  t.throws(() => registry.defineProperty('Nobody', 'a', 'string'), { code: 'MODEL_UNKNOWN' })
})

t.test('a sealed registry changes no more', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note' })
  registry.seal()
  registry.seal()
  t.equal(registry.sealed, true)
  const changes = [
    () => registry.define({ name: 'Memo' }),
    () => registry.defineProperty('Note', 'a', 'string'),
    () => registry.addGuardSource(() => () => {}),
    () => registry.addOperationSource(() => [])
  ]
  for (const change of changes) t.throws(change, { code: 'REGISTRY_SEALED' })
})

const unknownTypes: readonly unknown[] = [
  'Nowhere',
  ['Nowhere'],
  { inner: 'Nowhere' },
  [{ inner: ['Nowhere'] }],
  '[Nowhere]'
]

t.test('sealing finds types that lead nowhere', async (t) => {
  for (const type of unknownTypes) {
    const registry = new ModelRegistry()
    registry.define({ name: 'Note', properties: { part: type } })
    const error = { code: 'PROPERTY_TYPE_UNKNOWN', where: { model: 'Note', key: /^properties\./ } }
    t.throws(() => registry.seal(), error, JSON.stringify(type))
    t.equal(registry.sealed, false)
  }
})

t.test('two registries know nothing of each other', async (t) => {
  const definition = { name: 'Note', properties: { text: 'string' }, scope: { where: { text: 'x' } } }
  const [first, second] = [new ModelRegistry(), new ModelRegistry({ version: 2, compat: true })]
  for (const registry of [first, second]) {
    registry.addDataSource('db', memory())
    registry.define(definition)
    registry.attach('Note', 'db')
  }
  first.defineProperty('Note', 'only', 'string')
  first.get('Note').observe('access', () => {})
  await first.get('Note').create({})
  t.equal(await second.get('Note').count(), 0)
  t.equal(second.typeOf('Note').byName.has('only'), false)
  t.equal(second.typeOf('Note').hooks.isEmpty, true)
  t.strictSame([first.typeOf('Note').forceId, second.typeOf('Note').forceId], [true, false])
})

t.test('models may have a root class of the application', async (t) => {
  class Root extends Model {
    static greet(): string {
      return `I am ${this.modelName}`
    }
  }
  const registry = new ModelRegistry({ modelBase: Root })
  const Note = registry.define({ name: 'Note' }) as unknown as typeof Root
  t.equal(Note.greet(), 'I am Note')
  t.equal(Root.modelType, undefined)
})

t.test('a data source connects once, and again after it was closed', async (t) => {
  const registry = new ModelRegistry()
  const connector = memory()
  let count = 0
  registry.addDataSource('db', Object.assign(connector, { connect: async () => void count++ }))
  await Promise.all([registry.connect(), registry.connect()])
  await registry.connect()
  t.equal(count, 1)
  await registry.disconnect()
  await registry.connect()
  t.equal(count, 2)
})

t.test('a remote hook that comes too late is refused', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note' })
  registry.remoteHooks.add('before', 'Note.find', () => {})
  registry.seal()
  t.throws(() => registry.remoteHooks.add('before', 'Note.find', () => {}), {
    code: 'REGISTRY_SEALED',
    message: /Note\.find/
  })
})

t.test('mixins of the application are applied with their options, and inherited', async (t) => {
  const registry = new ModelRegistry()
  const seen: unknown[] = []
  registry.defineMixin('Tag', (model, options) => {
    seen.push([model.modelName, options])
    registry.defineProperty(model.modelName, 'tag', 'string')
  })
  registry.define({ name: 'Note', mixins: { Tag: { a: 1 } } })
  registry.define({ name: 'Memo', base: 'Note', mixins: { Tag: false } })
  registry.define({ name: 'Plain', mixins: { Tag: true } })
  t.strictSame(seen, [
    ['Note', { a: 1 }],
    ['Plain', {}]
  ])
  t.equal(registry.typeOf('Memo').byName.has('tag'), true)
})

t.test('a mixin that does not exist is left out in version 2', async (t) => {
  const registry = new ModelRegistry({ version: 2 })
  registry.define({ name: 'Note', mixins: { Nothing: true } })
  t.strictSame(registry.names(), ['Note'])
})

t.test('a property may be of the type of another model', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Person', properties: { address: 'Address', others: ['Address'] } })
  registry.define({ name: 'Address', properties: { zip: 'number' }, idInjection: false })
  registry.attach('Person', 'db')
  registry.seal()
  const data = { address: { zip: '5', more: true }, others: [{ zip: '6' }] }
  t.match(await registry.get('Person').create(data), { address: { zip: 5, more: true }, others: [{ zip: 6 }] })
  await t.rejects(registry.get('Person').create({ address: { zip: 'x' } }), { code: 'VALIDATION_FAILED' })
})

t.test('what a connector cannot do is told when it is asked', async (t) => {
  const registry = new ModelRegistry()
  const connector = memory()
  const operations = new Set(['find'] as const)
  Object.assign(connector, { capabilities: { ...connector.capabilities, operations } })
  registry.addDataSource('db', connector)
  registry.define({ name: 'Note' })
  registry.attach('Note', 'db')
  const Note = registry.get('Note')
  t.strictSame(await Note.find(), [])
  const asks: readonly (() => Promise<unknown>)[] = [
    () => Note.create({}),
    () => Note.count(),
    () => Note.updateAll({}, {}),
    () => Note.destroyAll()
  ]
  for (const ask of asks) await t.rejects(ask(), { code: 'NOT_IMPLEMENTED', statusCode: 501 })
})

t.test('without anybody who hears of errors, those of listeners are warnings of the process', async (t) => {
  const registry = new ModelRegistry()
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  registry.changes.subscribe('Note', () => {
    throw new TypeError('listener')
  })
  registry.changes.publish({ model: 'Note', kind: 'create', id: 1 })
  t.match(await warned, { message: /listener/ })
})

t.test('a data source is opened once, until all are closed', async (t) => {
  const log: string[] = []
  const connector = Object.assign(memory(), {
    connect: async () => void log.push('connect'),
    disconnect: async () => void log.push('disconnect')
  })
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  await Promise.all([registry.connect(), registry.connect()])
  await registry.connect()
  await registry.disconnect()
  await registry.connect()
  t.strictSame(log, ['connect', 'disconnect', 'connect'])
})

t.test('definitions can be completed until the registry is sealed', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note', properties: { text: 'string' } })
  registry.beforeSeal(() => registry.defineProperty('Note', 'ownerId', 'number'))
  registry.seal()
  t.ok(registry.typeOf('Note').byName.has('ownerId'))
  t.throws(() => registry.beforeSeal(() => {}), { code: 'REGISTRY_SEALED' })
})

t.test('a property that is defined again keeps its place', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note', properties: { a: 'string', b: 'string' } })
  registry.defineProperty('Note', 'a', { type: 'number', index: true })
  t.match(registry.typeOf('Note').properties, [{ name: 'a', index: true }, { name: 'b' }, { name: 'id' }])
})

t.test('a declared id that is a number becomes a text in compat mode where the connector makes texts', async (t) => {
  for (const [compat, kind] of [
    [true, 'string'],
    [false, 'number']
  ] as const) {
    const registry = new ModelRegistry({ compat })
    registry.addDataSource('none', transient())
    registry.define({ name: 'Mark', properties: { id: { type: 'number', id: true, generated: true } } })
    registry.attach('Mark', 'none')
    t.equal(registry.typeOf('Mark').idProperty?.type.kind, kind)
  }
})
