import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import t from 'tap'

const personWith = (dataLength: string): ModelDefinition => ({
  name: 'Person',
  properties: { kind: { type: 'string', mysql: { dataType: 'enum', dataLength } } }
})

// LB3: loopback-connector-mysql writes `enum('PC','NPC')`.
void t.test('dataLength holds the words of an enumeration', { skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  const registry = new ModelRegistry()
  t.teardown(async () => {
    await registry.disconnect()
    await drop()
  })
  const { connector } = registry.addDataSource('db', mysql({ url }))
  const attach = (definition: ModelDefinition): void => {
    registry.define(definition)
    registry.attach(definition.name, 'db')
  }
  attach(personWith("'PC', 'it''s'"))
  await registry.connect()
  await connector.migrate?.([registry.typeOf('Person')], { empty: false })
  const Person = registry.get('Person')
  t.match(await Person.create({ kind: "it's" }), { kind: "it's" })
  await t.rejects(Person.create({ kind: 'other' }), { code: 'VALUE_REFUSED' })
  t.match(await Person.find({ where: { kind: "it's" } }), [{ kind: "it's" }])
  for (const [index, invalid] of ["'a') , x int", "'a\\'", "a','b", "'a' 'b'"].entries())
    t.throws(() => attach({ ...personWith(invalid), name: `Person${index}` }), /dataLength/, invalid)
})
