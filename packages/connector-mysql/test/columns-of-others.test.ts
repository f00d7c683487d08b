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
  // Listed in another order than that of the words.
  mood: ["enum('sad', 'happy')", 'happy', 'sad'],
  traits: ["set('z', 'b')", 'b', 'z'],
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

/** A model over a table with one column of a type, and what is stored in it. */
async function serveColumn(t: Test, column: string, declared: string, values: readonly string[]) {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const rows = values.map((value, at) => `insert into One values (${at + 1}, ${value})`)
  await runOn(url, "set sql_mode = ''", `create table One (id int primary key, c ${column})`)
  await runOn(url, ["set sql_mode = ''", ...rows].join(';'))
  const registry = new ModelRegistry()
  registry.addDataSource('db', mysql({ url }))
  t.teardown(() => registry.disconnect())
  const id = { type: 'number', id: true, generated: false }
  registry.define({ name: 'One', strict: true, properties: { id, c: declared } })
  registry.attach('One', 'db')
  const One = registry.get('One')
  const find = async (filter: object): Promise<unknown> => (await One.find(filter)).map((each) => each['id'])
  return { One, find }
}

const skip = await whyNoServer()

void t.test('the zero date is read as null, and found as that', { skip }, async (t) => {
  const { One, find } = await serveColumn(t, 'datetime null', 'date', ["'0000-00-00'", "'2020-01-31 12:30:00'"])
  t.match(await One.findById(1), { c: null })
  t.strictSame(await find({ where: { c: null } }), [1])
  t.strictSame(await find({ where: { c: { lt: '2021-01-01' } } }), [2])
  t.strictSame(await find({ where: { c: { neq: null } } }), [2])
})

void t.test('a string that is no number equals none', { skip }, async (t) => {
  const { One, find } = await serveColumn(t, 'bigint unsigned', 'string', ['0', '18446744073709551615'])
  t.strictSame(await find({ where: { c: 'zzz' } }), [])
  t.strictSame(await find({ where: { c: '18446744073709551615' } }), [2])
  t.strictSame(await find({ where: { c: '18446744073709551614' } }), [])
  await t.rejects(One.create({ id: 3, c: '1.5' }), { code: 'NUMBER_NOT_EXACT', statusCode: 422 })
})

void t.test('a number that the column would round is refused', { skip }, async (t) => {
  const { One } = await serveColumn(t, 'int', 'number', ['1'])
  await t.rejects(One.create({ id: 2, c: 1.5 }), { code: 'NUMBER_NOT_EXACT', statusCode: 422 })
})

void t.test('bits are numbers, and digits in strings', { skip }, async (t) => {
  const numbers = await serveColumn(t, 'bit(16)', 'number', ["b'1'", "b'100000001'"])
  t.match(await numbers.One.find({ order: 'id' }), [{ c: 1 }, { c: 257 }])
  t.strictSame(await numbers.find({ where: { c: 257 } }), [2])
  const strings = await serveColumn(t, 'bit(16)', 'string', ["b'1'"])
  await strings.One.create({ id: 2, c: '257' })
  t.match(await strings.One.findById(2), { c: '257' })
})

void t.test('booleans over numbers and words find what they are read as', { skip }, async (t) => {
  const numbers = await serveColumn(t, 'int', 'boolean', ['0', '-5', '1'])
  t.strictSame(await numbers.find({ where: { c: true }, order: 'id' }), [2, 3])
  const words = await serveColumn(t, 'char(1)', 'boolean', ["'Y'", "'N'"])
  t.strictSame(await words.find({ where: { c: true } }), [1])
})

void t.test('a float equals what is read of it', { skip }, async (t) => {
  const { find } = await serveColumn(t, 'float', 'number', ['78.4', '1'])
  t.strictSame(await find({ where: { c: 78.4 } }), [1])
  t.strictSame(await find({ where: { c: { gt: 1, lte: 78.4 } } }), [1])
})

void t.test('characters that a column cannot hold find nothing, and are refused', { skip }, async (t) => {
  const { One, find } = await serveColumn(t, 'varchar(9) character set latin1', 'string', ["'a'", 'null'])
  for (const where of [{ c: '😀' }, { c: { inq: ['😀'] } }, { c: { gt: '😀' } }, { c: { like: '%😀%' } }])
    t.strictSame(await find({ where }), [], JSON.stringify(where))
  t.strictSame(await find({ where: { c: { neq: '😀' } }, order: 'id' }), [1, 2])
  await t.rejects(One.create({ id: 3, c: '😀' }), { code: 'VALUE_REFUSED' })
})
