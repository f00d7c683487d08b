import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { attachModels } from '#src/model/attach-model.ts'
import { isOfModel, lineageOf, modelByType, modelsExtending } from '#src/model/model-lineage.ts'
import { ModelRegistry } from '#src/registry.ts'

function makeRegistry(): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'User' })
  registry.define({ name: 'Customer', base: 'User' })
  registry.define({ name: 'Guest', base: 'Customer' })
  return registry
}

const names = (models: readonly { readonly name: string }[]): string[] => models.map(({ name }) => name)

t.test('a model knows what it extends, and what extends it', async (t) => {
  const registry = makeRegistry()
  const [user, customer, guest] = ['User', 'Customer', 'Guest'].map((name) => registry.typeOf(name))
  if (user === undefined || customer === undefined || guest === undefined) throw new Error('a model is missing')
  t.strictSame(names(lineageOf(guest)), ['Guest', 'Customer', 'User', 'PersistedModel', 'Model'])
  t.strictSame(names(modelsExtending(user)), ['Customer', 'Guest'])
  t.strictSame([isOfModel(guest, 'User'), isOfModel(user, 'Guest'), isOfModel(user, 'User')], [true, false, true])
})

t.test('a model takes the place of the built-in one that it extends, once it has a data source', async (t) => {
  const registry = makeRegistry()
  t.equal(modelByType(registry, 'User')?.name, 'User')
  registry.attach('User', 'db')
  t.equal(modelByType(registry, 'User')?.name, 'User')
  registry.attach('Guest', 'db')
  t.equal(modelByType(registry, 'User')?.name, 'Guest')
  t.equal(modelByType(registry, 'Nothing'), undefined)
})

t.test('the model in the place of a built-in one is looked for once when no more can come', async (t) => {
  const registry = makeRegistry()
  registry.attach('Guest', 'db')
  let searches = 0
  const namesOf = registry.names.bind(registry)
  registry.names = () => {
    searches++
    return namesOf()
  }
  for (let at = 0; at < 3; at++) modelByType(registry, 'User')
  t.equal(searches, 3)
  registry.seal()
  searches = 0
  for (let at = 0; at < 3; at++) t.equal(modelByType(registry, 'User')?.name, 'Guest')
  for (let at = 0; at < 3; at++) t.equal(modelByType(registry, 'Nothing'), undefined)
  t.equal(searches, 2)
})

t.test('models without a data source get the named one, or the only one', async (t) => {
  const registry = makeRegistry()
  attachModels(registry, ['User', 'Nothing'], undefined)
  t.equal(registry.typeOf('User').dataSource?.name, 'db')
  registry.addDataSource('other', memory())
  attachModels(registry, ['Customer'], undefined)
  t.equal(registry.typeOf('Customer').dataSource, undefined)
  attachModels(registry, ['User', 'Customer'], 'other')
  t.strictSame(
    ['User', 'Customer'].map((name) => registry.typeOf(name).dataSource?.name),
    ['db', 'other']
  )
  registry.define({ name: 'Base', dataSource: null })
  attachModels(registry, ['Base'], 'db')
  t.equal(registry.typeOf('Base').dataSource, undefined, 'its definition says that it has none')
  t.throws(() => attachModels(registry, ['Guest'], 'nowhere'), { code: 'DATA_SOURCE_UNKNOWN' })
})
