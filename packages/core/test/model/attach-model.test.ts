import { memory, transient } from '@modelwire/connector-memory'
import t from 'tap'
import type { Connector } from '#src/contract/connector.ts'
import type { Discovery } from '#src/contract/discovery.ts'
import type { CoreOptions, ModelDefinition } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'

const cases: readonly (readonly [definition: Partial<ModelDefinition>, options: CoreOptions, forces: boolean])[] = [
  [{}, {}, true],
  [{ forceId: 'auto' }, {}, true],
  [{ forceId: false }, {}, false],
  [{ forceId: true, properties: { code: { type: 'string', id: true } } }, {}, true],
  [{ properties: { code: { type: 'string', id: true } } }, {}, false],
  [{ properties: { code: { type: 'string', id: true, generated: true } } }, {}, true],
  [{}, { version: 2 }, false],
  [{ forceId: 'auto' }, { version: 2 }, true]
]

t.test('clients cannot choose ids where the database makes them, unless the model says otherwise', async (t) => {
  for (const [definition, options, forces] of cases) {
    const models = [{ name: 'Note', ...definition } as ModelDefinition]
    const registry = buildRegistry({ dataSources: { db: memory() }, models, ...options }, () => {})
    t.equal(registry.typeOf('Note').forceId, forces, JSON.stringify([definition, options]))
  }
})

t.test('an id is injected last, unless there is one or none is wanted', async (t) => {
  const models: ModelDefinition[] = [
    { name: 'Note', properties: { text: 'string' } },
    { name: 'Own', properties: { code: { type: 'string', id: true }, text: 'string' } },
    { name: 'None', properties: { text: 'string' }, idInjection: false },
    { name: 'Memo', base: 'Note', properties: { at: 'date' } }
  ]
  const registry = buildRegistry({ models }, () => {})
  const names = (name: string) => registry.typeOf(name).properties.map((property) => property.name)
  t.strictSame(names('Note'), ['text', 'id'])
  t.strictSame(names('Own'), ['code', 'text'])
  t.strictSame(names('None'), ['text'])
  t.strictSame(names('Memo'), ['at', 'text', 'id'])
})

t.test('a property id that is not declared as one becomes the id, and is there once', async (t) => {
  const models: ModelDefinition[] = [{ name: 'Note', idInjection: false, properties: { id: 'number', text: 'string' } }]
  const registry = buildRegistry({ dataSources: { db: memory() }, models, compat: true }, () => {})
  t.strictSame(
    registry.typeOf('Note').properties.map(({ name, id }) => [name, id]),
    [
      ['text', false],
      ['id', true]
    ]
  )
})

t.test(
  'as in LoopBack, idInjection takes no id away, and an id that is not declared as one stays a column',
  async (t) => {
    const models: ModelDefinition[] = [
      { name: 'Note', idInjection: false },
      { name: 'View', idInjection: false, properties: { id: 'string', text: 'string' } }
    ]
    // Of its discovery nothing is asked but whether it has tables, whose columns are declared.
    const withTables = Object.assign(memory(), { discovery: { undeclaredColumn: 'more' } as Discovery })
    const withDocuments = Object.assign(memory(), { discovery: {} as Discovery })
    const idsOf = (db: Connector, compat: boolean) => {
      const registry = buildRegistry({ dataSources: { db }, models, compat }, () => {})
      return models.map(({ name }) => registry.typeOf(name).idProperty?.name)
    }
    t.strictSame(idsOf(memory(), true), ['id', 'id'])
    t.strictSame(idsOf(withTables, true), ['id', undefined])
    t.strictSame(idsOf(withDocuments, true), ['id', 'id'])
    t.strictSame(idsOf(memory(), false), [undefined, undefined])
  }
)

t.test('a connector that makes texts makes the id text', async (t) => {
  const registry = buildRegistry({ dataSources: { db: transient() }, models: [{ name: 'Note' }] }, () => {})
  t.equal(registry.typeOf('Note').idProperty?.type.kind, 'string')
  t.match(await registry.get('Note').create({}), { id: /^[\da-f]{24}$/ })
})

t.test('ids of several properties', async (t) => {
  const keyed = (more: object = {}): ModelDefinition => ({
    name: 'Price',
    properties: { region: { type: 'number', id: 2, ...more }, shop: { type: 'string', id: 1 } }
  })
  const keyOf = (definition: ModelDefinition, options: CoreOptions = {}): readonly string[] =>
    buildRegistry({ models: [definition], ...options }, () => {})
      .typeOf('Price')
      .key.map(({ name }) => name)
  t.strictSame(keyOf(keyed()), ['shop', 'region'], 'in the order of their numbers')
  t.strictSame(keyOf(keyed({ generated: true })), ['region'], 'not where the database generates a part')
  t.strictSame(keyOf(keyed(), { compat: true }), ['region'], 'nor in compat mode')
  t.throws(() => keyOf(keyed({ type: 'object' })), {
    code: 'MODEL_DEFINITION_INVALID',
    where: { key: 'properties.region' }
  })
  const stored = (connector: Connector) => () => keyOf(keyed(), { dataSources: { db: connector } })
  t.throws(stored(transient()), {
    code: 'MODEL_DEFINITION_INVALID',
    message: /does not support ids of several properties/
  })
  t.doesNotThrow(stored(memory()))
})
