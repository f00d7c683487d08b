import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import type { CoreOptions, ModelDefinition, ModelRegistry } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

function start(definition: Partial<ModelDefinition>, options: CoreOptions = {}): ModelRegistry {
  const properties = { startsAt: 'date', price: { type: 'number', sqlite3: { columnName: 'cost' } }, place: 'object' }
  const registry = buildModels([{ name: 'Booking', strict: true, properties, ...definition }], options)
  registry.seal()
  return registry
}

t.test('indexes name properties, in every way of writing them', (t) => {
  const known: readonly object[] = [
    { keys: { startsAt: 1, price: -1 }, options: { unique: true } },
    { keys: ['startsAt', 'id'] },
    { columns: 'starts_at, "cost"' },
    { fields: { 'place.city': 1 } },
    { startsAt: -1 }
  ]
  for (const index of known) t.doesNotThrow(() => start({ indexes: { index } }), JSON.stringify(index))
  const unknown: readonly object[] = [
    { keys: { startAt: 1 } },
    { keys: ['price', 'startAt'] },
    { columns: 'startAt' },
    { fields: { startAt: 1 } },
    { startAt: 1 }
  ]
  for (const index of unknown)
    t.throws(() => start({ indexes: { index } }), {
      code: 'MODEL_DEFINITION_INVALID',
      message: /unknown property "startAt": did you mean "startsAt"\?/,
      where: { model: 'Booking', key: 'indexes.index' }
    })
  t.end()
})

t.test('an index may be over a property that only records of an open model have', (t) => {
  const indexes = { index: { keys: { anything: 1 } } }
  t.doesNotThrow(() => start({ strict: false, indexes }))
  const closed = memory()
  Object.defineProperty(closed, 'capabilities', { value: { ...closed.capabilities, storesUndeclared: false } })
  t.throws(() => start({ strict: false, indexes }, { dataSources: { db: closed } }), {
    code: 'MODEL_DEFINITION_INVALID'
  })
  t.doesNotThrow(() => start({ indexes }, { compat: true }))
  t.end()
})

t.test('what clients may sum has to exist, whether the model is open or not', (t) => {
  for (const strict of [true, false]) {
    t.doesNotThrow(() => start({ strict, aggregate: { properties: ['price', 'id'] } }))
    t.throws(() => start({ strict, aggregate: { properties: ['price', 'prise'] } }), {
      code: 'MODEL_DEFINITION_INVALID',
      message: /unknown property "prise": did you mean "price"\?/,
      where: { key: 'aggregate.properties' }
    })
  }
  t.end()
})

t.test('an observer of a misspelt hook is refused, one of an event is not', (t) => {
  const Booking = start({}).get('Booking')
  for (const [name, hook] of [
    ['befor save', 'before save'],
    ['beforeSave', 'before save'],
    ['Before save', 'before save'],
    ['aftr delet', 'after delete'],
    ['acess', 'access'],
    ['laoded', 'loaded']
  ] as const)
    t.throws(() => Booking.observe(name as string, () => {}), {
      code: 'OPTION_INVALID',
      message: `unknown hook "${name}": did you mean "${hook}"?`
    })
  for (const name of ['before save', 'uploaded', 'success', 'before publish', 'after save all'])
    t.doesNotThrow(() => Booking.observe(name, () => {}), name)
  t.doesNotThrow(() =>
    start({}, { compat: true })
      .get('Booking')
      .observe('befor save' as string, () => {})
  )
  t.end()
})
