import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'
import { mysql } from '@modelwire/connector-mysql'
import { runs } from '@modelwire/test-waits'

const skip = await whyNoServer()

for (const timezone of ['Z', '-02:30']) {
  const name = `sums and groups are those of plain code, in the zone ${timezone}`
  void t.test(name, { skip, timeout: 120_000 }, async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    await aggregateTests(t, mysql({ url: database.url, connectionLimit: 2, timezone }), { numRuns: runs(200) })
  })
}

void t.test(
  'the database computes parts of dates of another zone, in columns with a zone and without',
  { skip },
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const statements: string[] = []
    const onStatement = (statement: string): void => void statements.push(statement)
    const registry = new ModelRegistry()
    const connector = mysql({ url: database.url, timezone: '+02:00', onStatement })
    registry.addDataSource('db', connector)
    t.teardown(() => registry.disconnect())
    const stamp = { type: 'date', mysql: { dataType: 'timestamp' } }
    registry.define({ name: 'Time', properties: { id: { type: 'number', id: true }, at: 'date', stamp } })
    registry.attach('Time', 'db')
    await connector.migrate?.([registry.typeOf('Time')], { empty: true })
    const Time = registry.get('Time')
    const moment = new Date('2026-03-31T23:30:00.000Z')
    await Time.create({ id: 1, at: moment, stamp: moment })
    for (const of of ['at', 'stamp']) {
      const group = [
        { yearMonth: of, as: 'month' },
        { hour: of, as: 'hour' }
      ]
      t.match(await Time.aggregate({ group, count: true }), [{ month: '2026-03', hour: 23, count: 1 }], of)
      t.match(statements.at(-1), 'group by', of)
    }
  }
)
