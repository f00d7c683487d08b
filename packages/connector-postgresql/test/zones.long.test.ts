import { ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { repository, serverCall } from '@modelwire/core/plugin'
import t from 'tap'

const zones = ['America/New_York', 'Europe/Amsterdam', 'Pacific/Kiritimati', 'UTC']
const days = ['2020-01-31', '1883-11-18', '0001-01-01', '9999-12-31']

function open(url: string): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url }))
  const typed = (type: string, dataType: string): object => ({ type, postgresql: { dataType } })
  registry.define({
    name: 'Time',
    properties: {
      id: { type: 'number', id: true, generated: true },
      at: 'date',
      day: typed('date', 'date'),
      plain: typed('date', 'timestamp'),
      written: typed('dateString', 'date')
    } as never
  })
  registry.attach('Time', 'db')
  return registry
}

void t.test('times are those of UTC in every zone of the process and of the server', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const known = process.env['TZ']
  t.teardown(() => {
    if (known === undefined) delete process.env['TZ']
    else process.env['TZ'] = known
  })
  for (const zone of zones) {
    process.env['TZ'] = zone
    const registry = open(database.url)
    await registry.dataSources.get('db')?.connector.migrate?.([registry.typeOf('Time')], { empty: true })
    const Time = registry.get('Time')
    for (const written of days) {
      const day = new Date(`${written}T00:00:00.000Z`)
      const time = new Date(`${written}T23:59:59.999Z`)
      const { id } = await Time.create({ at: time, plain: time, day, written })
      const found = { at: time, plain: time, day, written }
      t.match(await Time.findById(id), found, `${written} in ${zone}`)
      t.match(await registry.transaction(() => Time.findById(id)), found, 'in a transaction, too')
      t.equal(await Time.count({ id, day, plain: time, at: { inq: [time] } }), 1)
    }
    await registry.disconnect()
  }
})

void t.test('a day is written as it is stored where its midnight is left out in the zone of the session', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const { pathname } = new URL(database.url)
  // Summer time began at midnight there.
  await runOn(database.url, `alter database ${pathname.slice(1)} set timezone = 'America/Sao_Paulo'`)
  const registry = open(database.url)
  t.teardown(() => registry.disconnect())
  const type = registry.typeOf('Time')
  await registry.dataSources.get('db')?.connector.migrate?.([type], { empty: true })
  await registry.get('Time').create({ day: new Date('2018-11-04T00:00:00.000Z') })
  const call = { ...serverCall(), writesJson: true }
  const found = await repository.readRecords(type, { filter: { fields: ['day'] }, call, restriction: undefined })
  t.match(found.rows, [{ day: new Date('2018-11-04T00:00:00.000Z') }])
})
