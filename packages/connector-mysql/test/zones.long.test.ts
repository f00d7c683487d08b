import { ModelRegistry } from '@modelwire/core'
import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t, { type Test } from 'tap'

const times = [
  '2024-10-27T00:30:00.000Z',
  '2024-10-27T01:30:00.000Z',
  '0001-01-02T00:00:00.000Z',
  '1883-11-18T12:00:00.001Z'
]

function open(url: string, settings: object = {}): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', mysql({ url, ...settings }))
  const stamp = { type: 'date', mysql: { dataType: 'timestamp', dataLength: 3 } }
  registry.define({ name: 'Time', properties: { id: { type: 'number', id: true }, at: 'date', stamp } })
  registry.attach('Time', 'db')
  return registry
}

/** A table of times in a database of the test's own, as a process in this zone opens it. */
async function openTable(t: Test, zone: string, settings: object): Promise<{ url: string; registry: ModelRegistry }> {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  process.env['TZ'] = zone
  const registry = open(database.url, settings)
  t.teardown(() => registry.disconnect())
  await registry.dataSources.get('db')?.connector.migrate?.([registry.typeOf('Time')], { empty: true })
  return { url: database.url, registry }
}

const skip = await whyNoServer()

for (const [name, settings] of Object.entries({ default: {}, offset: { timezone: '-03:30' } })) {
  void t.test(`processes in two zones read the same times, with the ${name} zone`, { skip }, async (t) => {
    const { url, registry } = await openTable(t, 'Europe/Berlin', settings)
    const records = times.map((time, id) => ({ id, at: new Date(time), ...(id < 2 && { stamp: new Date(time) }) }))
    await registry.get('Time').create(records)
    process.env['TZ'] = 'America/New_York'
    const reader = open(url, settings)
    t.teardown(() => reader.disconnect())
    const read = await reader.get('Time').find({ order: 'id' })
    t.same(
      read.map(({ at }) => at),
      times.map((time) => new Date(time))
    )
    t.same(read[1]?.['stamp'], new Date(String(times[1])))
    t.equal(await reader.get('Time').count({ at: times[0] }), 1)
    const [stored] = await runOn(url, 'select unix_timestamp(stamp) as seconds from Time where id = 1')
    t.equal(Number(stored?.['seconds']) * 1000, Date.parse(String(times[1])))
  })
}

void t.test('the zone of the process is used where the setting asks for it', { skip }, async (t) => {
  const { url, registry } = await openTable(t, 'Europe/Berlin', { timezone: 'local' })
  await registry.get('Time').create({ id: 1, at: '2024-07-01T10:00:00.000Z' })
  const [stored] = await runOn(url, "select date_format(at, '%H') as hour from Time")
  t.equal(stored?.['hour'], '12')
  t.match(await registry.get('Time').findById(1), { at: new Date('2024-07-01T10:00:00.000Z') })
})

void t.test('a year that the column does not have is refused, and equals nothing', { skip }, async (t) => {
  const { registry } = await openTable(t, 'UTC', {})
  const Time = registry.get('Time')
  const [first, last] = [new Date('-000001-01-01T00:00:00Z'), new Date('+010000-01-01T00:00:00Z')]
  for (const at of [first, last]) await t.rejects(Time.create({ id: 1, at }), { code: 'VALUE_REFUSED' })
  await Time.create({ id: 1, at: '9999-12-31T23:59:59.999Z' })
  t.equal(await Time.count({ at: last }), 0)
  t.equal(await Time.count({ at: { lt: last, gt: first } }), 1)
})
