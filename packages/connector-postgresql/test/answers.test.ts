import type { ModelDefinition } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'
import { ask, classesOf, listOf, startRowServer } from './fixtures/row-servers.ts'

const typed = (type: string, dataType: string): object => ({ type, postgresql: { dataType, columnName: 'amount' } })

const ledger = (amount: object, name: string): ModelDefinition =>
  ({
    name,
    public: true,
    properties: { id: { type: 'number', id: true }, amount },
    relations: { same: { type: 'hasMany', model: name, foreignKey: 'id' } },
    postgresql: { tableName: 'ledger' }
  }) as never

void t.test('exact numbers are written with all digits, as text, and never rounded as a number', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  for (const [dataType, amount] of [
    ['numeric(30, 10)', '12345678901234567890.0123456789'],
    ['bigint', '9223372036854775807']
  ] as const) {
    const models = [ledger(typed('string', dataType), 'Text'), ledger(typed('number', dataType), 'Count')]
    const server = await startRowServer(t, { url: database.url, models })
    const { Text } = classesOf(server)
    await Text?.create({ id: 1, amount })
    const texts = await ask(server, listOf('Texts', { where: { amount }, include: 'same' }))
    t.match(texts, { statusCode: 200 })
    t.same(JSON.parse(texts.body), [{ id: 1, amount, same: [{ id: 1, amount }] }])
    t.equal((await ask(server, listOf('Counts', { include: 'same' }))).statusCode, 500)
    await server.app.close()
    await runOn(database.url, 'truncate ledger')
    const again = await startRowServer(t, { url: database.url, models })
    await classesOf(again)['Count']?.create({ id: 2, amount: 1200 })
    const counts = await ask(again, listOf('Counts', { include: 'same' }))
    t.match(counts, { statusCode: 200 })
    t.same(JSON.parse(counts.body), [{ id: 2, amount: 1200, same: [{ id: 2, amount: 1200 }] }])
    await again.app.close()
    await runOn(database.url, 'drop table ledger')
  }
})

void t.test('lists, records and what they include are read by plain statements', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const properties = { tags: ['string'], size: 'object', made: 'date', nextId: 'number', secret: 'object' }
  const relations = { next: { type: 'belongsTo', model: 'Item', foreignKey: 'nextId' } }
  const models = [
    { name: 'Item', public: true, properties, relations, hidden: ['secret'] }
  ] as readonly ModelDefinition[]
  const server = await startRowServer(t, { url, models })
  const item = { tags: ['a, b', '"'], size: { 'a "b"': [null, { deep: 'ü\n' }] }, made: '2026-03-08T02:30:00.005Z' }
  for (const nextId of [null, 1]) await classesOf(server)['Item']?.create({ ...item, nextId, secret: { a: 1 } })
  const first = { ...item, nextId: null, id: 1 }
  for (const [path, body] of [
    ['Items/1', first],
    [listOf('Items', { where: { nextId: 1 } }), [{ ...first, nextId: 1, id: 2 }]],
    [listOf('Items', { where: { nextId: 1 }, include: 'next' }), [{ ...first, nextId: 1, id: 2, next: first }]]
  ] as const) {
    const answer = await ask(server, path)
    t.same(JSON.parse(answer.body), body)
    for (const statement of server.statements)
      t.notMatch(statement, /json_| ~ /, 'the database has no work for each row')
  }
})

void t.test('a connector that only ran statements of its own leaves no connection behind', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const connector = postgresql({ url: database.url })
  await connector.ping()
  await connector.disconnect()
  const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const [result] = await runOn(database.url, others)
  t.same(result?.rows, [])
})
