import { mysql } from '@modelwire/connector-mysql'
import { ModelRegistry } from '@modelwire/core'
import { exactNumberTests } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'

void t.test('exact numbers', { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await exactNumberTests(t, {
    name: 'mysql',
    mappingKey: 'mysql',
    upsert: { patch: 1, insert: 1 },
    create: (settings) => mysql({ url: database.url, ...settings })
  })
})

void t.test('a decimal without digits keeps its decimals', { skip: await whyNoServer() }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const registry = new ModelRegistry()
  registry.addDataSource('db', mysql({ url: database.url }))
  t.teardown(() => registry.disconnect())
  const price = (dataType: string): object => ({ type: 'number', mysql: { dataType } })
  const properties = {
    id: { type: 'number', id: true, generated: true },
    a: price('decimal'),
    b: price('NUMERIC')
  } as const
  registry.define({ name: 'Price', properties })
  registry.attach('Price', 'db')
  const migrate = async (empty: boolean) =>
    registry.dataSources.get('db')?.connector.migrate?.([registry.typeOf('Price')], { empty })
  await runOn(database.url, 'create table Price (id int auto_increment primary key, a decimal, b numeric(9, 2))')
  await migrate(false)
  const Price = registry.get('Price')
  const { id } = await Price.create({ a: 12.345, b: 0.001 })
  t.match(await Price.findById(id), { a: 12.345, b: 0.001 }, 'columns that lose some get more digits')
  t.strictSame((await migrate(false))?.steps, [])
  await migrate(true)
  await Price.create({ a: 12.345, b: 0.001 })
  t.match(await Price.findOne(), { a: 12.345, b: 0.001 })
})
