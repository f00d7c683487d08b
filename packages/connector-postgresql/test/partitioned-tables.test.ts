import { ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test('records of a table that is partitioned by a time are changed and paged by their ids', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const registry = new ModelRegistry()
  t.teardown(() => registry.disconnect())
  const connector = postgresql({ url: database.url })
  registry.addDataSource('db', connector)
  registry.define({
    name: 'Reading',
    properties: { id: { type: 'number', id: true }, at: 'date', degrees: { type: 'number' } }
  })
  registry.attach('Reading', 'db')
  await connector.execute?.(
    'create table reading (id integer, at timestamptz, degrees float8, primary key (id, at)) partition by range (at)'
  )
  await connector.execute?.('create table reading_all partition of reading default')
  await connector.execute?.("insert into reading values (1, '2024-01-01 00:00:00.123456Z', 5), (2, '2024-01-01Z', 6)")
  const Reading = registry.get('Reading')
  const reading = await Reading.findById(1)
  await reading?.patchAttributes({ degrees: 7 })
  t.match(await Reading.findById(1), { degrees: 7 })
  const after = Buffer.from(JSON.stringify({ id: 1 })).toString('base64url')
  t.match(await Reading.find({ limit: 1, after }), [{ id: 2 }])
  await reading?.destroy()
  t.equal(await Reading.count(), 1)
})
