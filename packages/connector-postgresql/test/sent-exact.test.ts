import type { ModelDefinition } from '@modelwire/core'
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
