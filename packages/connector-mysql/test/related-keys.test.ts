import { ModelRegistry } from '@modelwire/core'
import { mysql } from '@modelwire/connector-mysql'
import { installRelations } from '@modelwire/relations'
import t from 'tap'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'

/** Types of the key in both tables as somebody made them, and the statements of a filter. */
const columns: readonly (readonly [key: string, other: string, statements: number])[] = [
  ['varchar(9) collate utf8mb4_general_ci', 'varchar(9) collate utf8mb4_unicode_ci', 2],
  ['varchar(9) collate utf8mb4_general_ci', 'varchar(8) collate utf8mb4_general_ci', 1],
  ['varchar(9) character set latin1', 'varchar(9) collate utf8mb4_bin', 2]
]

for (const [key, other, count] of columns) {
  const title = `${key} and ${other} are keys of each other in as many statements as work: ${count}`
  void t.test(title, { skip: await whyNoServer() }, async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    await runOn(database.url, `create table Maker (code ${key} primary key, label text)`)
    await runOn(database.url, `create table Thing (id integer primary key, makerCode ${other})`)
    const statements: string[] = []
    const registry = new ModelRegistry()
    t.teardown(() => registry.disconnect())
    registry.addDataSource('db', mysql({ url: database.url, onStatement: (text: string) => statements.push(text) }))
    const code = { type: 'string', id: true }
    const maker = { type: 'belongsTo', model: 'Maker', foreignKey: 'makerCode' }
    registry.define({ name: 'Maker', strict: true, properties: { code, label: 'string' } })
    const id = { type: 'number', id: true }
    registry.define({ name: 'Thing', strict: true, properties: { id, makerCode: 'string' }, relations: { maker } })
    for (const name of ['Maker', 'Thing']) registry.attach(name, 'db')
    installRelations(registry).complete()
    await registry.connect()
    await registry.get('Maker').create({ code: 'a', label: 'x' })
    await registry.get('Thing').create([{ id: 1, makerCode: 'a' }, { id: 2 }])
    t.equal(await registry.get('Thing').count({ 'maker.label': 'x' }), 1)
    statements.length = 0
    t.equal(await registry.get('Thing').count({ 'maker.label': 'x' }), 1)
    t.equal(statements.length, count)
  })
}
