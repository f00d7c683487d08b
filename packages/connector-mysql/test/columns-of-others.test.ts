import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'

/** Columns that no migration makes for a string, with two values of each in their order, as they are read. */
const columns: Readonly<Record<string, readonly [type: string, low: string, high: string]>> = {
  clock: ['time', '08:30:00', '09:15:00'],
  day: ['date', '2020-01-31', '2021-01-01'],
  written: ['datetime', '2020-01-31 12:30:00', '2021-01-01 00:00:00'],
  year: ['year', '1999', '2001'],
  price: ['decimal(9, 2)', '9.50', '10.25'],
  mood: ["enum('sad', 'happy')", 'sad', 'happy'],
  // Bytes that tell upper and lower case apart.
  bytes: ['varbinary(9)', 'Sad', 'sad'],
  piece: ['blob', 'Sad', 'sad']
}

void t.test(
  'strings in columns of other types are read, written, ordered and compared',
  { skip: await whyNoServer() },
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const names = Object.keys(columns)
    const list = names.map((name) => `${name} ${columns[name]?.[0] ?? ''}`).join(', ')
    await runOn(database.url, `create table Kin (id int auto_increment primary key, ${list})`)
    const registry = new ModelRegistry()
    registry.addDataSource('db', mysql({ url: database.url }))
    t.teardown(() => registry.disconnect())
    const strings = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
    registry.define({
      name: 'Kin',
      strict: true,
      properties: { id: { type: 'number', id: true, generated: true }, ...strings }
    })
    registry.attach('Kin', 'db')
    const Kin = registry.get('Kin')
    const [low, high] = [1, 2].map((at) => Object.fromEntries(names.map((name) => [name, columns[name]?.[at]])))
    const two = await Kin.create({ ...high })
    const one = await Kin.create({ ...low })
    t.match(await Kin.findById(one['id']), low ?? {})
    for (const name of names) {
      const find = async (filter: object): Promise<unknown> => (await Kin.find(filter)).map((each) => each['id'])
      t.strictSame(await find({ order: name }), [one['id'], two['id']], `${name} ascends`)
      t.strictSame(await find({ where: { [name]: low?.[name] } }), [one['id']], `${name} is equal`)
      t.strictSame(
        await find({ where: { [name]: { like: `${String(high?.[name])}%` } } }),
        [two['id']],
        `${name} begins so`
      )
      t.strictSame(await find({ where: { [name]: { regexp: '^.' } }, order: name }), [one['id'], two['id']])
      t.strictSame(
        await find({ where: { [name]: { regexp: `^${String(high?.[name])}` } } }),
        [two['id']],
        `${name} matches`
      )
    }
  }
)

/** A model whose area is a string, in a database of its own. */
function definePlace(t: Test, url: string, mysqlColumn?: object): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', mysql({ url }))
  t.teardown(() => registry.disconnect())
  const area = { type: 'string', ...(mysqlColumn !== undefined && { mysql: mysqlColumn }) }
  registry.define({ name: 'Place', strict: true, properties: { id: { type: 'number', id: true }, area } })
  registry.attach('Place', 'db')
  return registry
}

void t.test(
  'a geometry is not a string: the start says so, or an examination',
  { skip: await whyNoServer() },
  async (t) => {
    const { url, drop } = await createTestDatabase()
    t.teardown(() => drop())
    await runOn(url, 'create table Place (id int primary key, area linestring)')
    for (const dataType of ['point', 'GEOMETRY', 'multipolygon'])
      await t.rejects(
        async () => definePlace(t, url, { dataType }).connect(),
        { code: 'MODEL_DEFINITION_INVALID', where: { key: 'properties.area' } },
        dataType
      )
    const registry = definePlace(t, url)
    await registry.connect()
    const { connector } = registry.dataSources.get('db') ?? {}
    const facts = await connector?.examine?.([registry.typeOf('Place')])
    t.match(facts, [{ property: 'area', effect: 'differs', reason: /Place.area is of the type linestring/ }])
    const [found] = (await connector?.discovery?.discoverModels({ tables: ['Place'] })) ?? []
    t.match(found?.properties, { area: { type: 'any' } }, 'discovery declares what works')
  }
)
