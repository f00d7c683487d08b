import { aggregateTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'
import { postgresql } from '@modelwire/connector-postgresql'
import { runs } from '@modelwire/test-waits'

for (const [timeType, timestampZone] of [
  [undefined, 'Z'],
  ['timestamp', 'Z'],
  ['timestamp', '+05:30']
] as const) {
  const name = `sums and groups are those of plain code, times ${timeType ?? 'timestamptz'} in ${timestampZone}`
  void t.test(name, { timeout: 120_000 }, async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const connector = postgresql({ url: database.url, max: 2, timestampZone })
    await aggregateTests(t, connector, { numRuns: runs(200), ...(timeType !== undefined && { timeType }) })
  })
}

const columns = ['zoned', 'plain', 'day', 'written']

/** A table whose times are in columns of all types, and the statements that are sent to it. */
async function openTimes(t: Test, timestampZone: string) {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  // Sessions of another zone must not matter.
  await runOn(database.url, `alter database ${new URL(database.url).pathname.slice(1)} set timezone = 'Asia/Tokyo'`)
  await runOn(
    database.url,
    'create table time (id int primary key, zoned timestamptz, plain timestamp, day date, written text)'
  )
  await runOn(
    database.url,
    `insert into time values (1, '2026-03-31T23:30:00Z', '2026-03-31 23:30:00', '2026-03-31', '2026-03-31T23:30:00Z')`
  )
  const statements: string[] = []
  const onStatement = (statement: string): void => void statements.push(statement)
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url: database.url, timestampZone, onStatement }))
  t.teardown(() => registry.disconnect())
  const dates = Object.fromEntries(columns.map((name) => [name, { type: 'date' }] as const))
  registry.define({ name: 'Time', properties: { id: { type: 'number', id: true }, ...dates } })
  registry.attach('Time', 'db')
  const Time = registry.get('Time')
  const read = async (of: string): Promise<unknown> => {
    const group = [
      { yearMonth: of, as: 'month' },
      { hour: of, as: 'hour' }
    ]
    const [row] = await Time.aggregate({ group, count: true })
    return row
  }
  return { read, statements }
}

const expected: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  Z: [
    ['2026-03', 23],
    ['2026-03', 23],
    ['2026-03', 0],
    ['2026-03', 23]
  ],
  // Times without a zone are two hours further on in UTC.
  '-02:00': [
    ['2026-03', 23],
    ['2026-04', 1],
    ['2026-03', 2],
    ['2026-03', 23]
  ]
}

for (const [zone, results] of Object.entries(expected)) {
  void t.test(`the database computes parts of dates by the type of the column, in ${zone}`, async (t) => {
    const { read, statements } = await openTimes(t, zone)
    for (const [at, column] of columns.entries()) {
      const [month, hour] = results[at] ?? []
      t.match(await read(column), { month, hour, count: 1 }, column)
      const isRead = statements.every((statement) => !statement.includes('group by'))
      t.equal(isRead, column === 'written', `${column}: ${isRead ? 'read' : 'grouped by the database'}`)
      t.notMatch(statements.join('\n'), 'to_timestamp', 'the type is known: no expression that serves all of them')
      statements.length = 0
    }
  })
}

void t.test('times of a materialized view, whose columns are not in the catalog, are grouped as well', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await runOn(database.url, `create materialized view time as select 1 as id, timestamp '2026-03-31 23:30:00' as at`)
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url: database.url }))
  t.teardown(() => registry.disconnect())
  registry.define({ name: 'Time', properties: { id: { type: 'number', id: true }, at: 'date' } })
  registry.attach('Time', 'db')
  const request = { group: { hour: 'at', as: 'hour' }, count: true }
  t.match(await registry.get('Time').aggregate(request), [{ hour: 23, count: 1 }])
})
