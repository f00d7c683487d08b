import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { installRelations } from '@modelwire/relations'
import t from 'tap'

const typed = (type: string, column: string) =>
  column === 'uuid' ? { type, postgresql: { dataType: column } } : { type }

const definitions = (keyType: string, key: string, other: string): readonly ModelDefinition[] => [
  { name: 'Maker', strict: true, properties: { code: { ...typed(keyType, key), id: true }, label: 'string' } },
  {
    name: 'Thing',
    strict: true,
    properties: { id: { type: 'number', id: true }, makerCode: typed(keyType, other) },
    relations: { maker: { type: 'belongsTo', model: 'Maker', foreignKey: 'makerCode' } }
  }
]

const uuid = '00000000-0000-4000-8000-000000000001'

/** Types of the key in both tables as somebody made them, a key, and the statements of a filter. */
const columns: readonly (readonly [type: string, key: string, other: string, value: unknown, statements: number])[] = [
  ['string', 'uuid', 'text', uuid, 2],
  ['string', 'uuid', 'uuid', uuid, 1],
  ['string', 'varchar(40)', 'text', 'a', 1],
  ['string', 'text collate "C"', 'text', 'a', 2],
  ['string', 'char(5)', 'text', 'abcde', 2],
  ['number', 'integer', 'numeric(10, 2)', 7, 1],
  ['number', 'bigint', 'double precision', 7, 1]
]

for (const [keyType, key, other, value, count] of columns) {
  void t.test(`${key} and ${other} are keys of each other in as many statements as work: ${count}`, async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    await runOn(database.url, `create table maker (code ${key} primary key, label text)`)
    await runOn(database.url, `create table thing (id integer primary key, makercode ${other})`)
    const statements: string[] = []
    const registry = new ModelRegistry()
    t.teardown(() => registry.disconnect())
    registry.addDataSource(
      'db',
      postgresql({ url: database.url, onStatement: (text: string) => statements.push(text) })
    )
    for (const definition of definitions(keyType, key, other)) {
      registry.define(definition)
      registry.attach(definition.name, 'db')
    }
    installRelations(registry).complete()
    await registry.connect()
    await registry.get('Maker').create({ code: value, label: 'x' })
    await registry.get('Thing').create([{ id: 1, makerCode: value }, { id: 2 }])
    t.equal(await registry.get('Thing').count({ 'maker.label': 'x' }), 1)
    statements.length = 0
    t.equal(await registry.get('Thing').count({ 'maker.label': 'x' }), 1)
    t.equal(statements.length, count)
  })
}
