import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import { types } from 'pg'
import t, { type Test } from 'tap'
import { readTimestamp, zoneOf } from '@modelwire/connector-sql'
import { writeTime } from '#src/values/timestamps.ts'

const zones = ['UTC', 'America/New_York', 'Europe/Amsterdam', 'Australia/Lord_Howe', 'Pacific/Apia']

function inZone(t: Test, zone: string): void {
  const known = process.env['TZ']
  process.env['TZ'] = zone
  t.teardown(() => {
    if (known === undefined) delete process.env['TZ']
    else process.env['TZ'] = known
  })
}

const changes = [
  Date.UTC(2026, 2, 8, 7),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 4, 2),
  Date.UTC(1892, 6, 4),
  Date.UTC(2011, 11, 30)
]
const moment = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -200_000_000, max: 200_000_000 }))
  .map(([change, distance]) => new Date(change + distance))
const anyMoment = fc.oneof(
  moment,
  fc.date({ min: new Date('0100-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
)

for (const zone of zones) {
  void t.test(`in ${zone} a time is read as LoopBack's driver reads it`, async (t) => {
    inZone(t, zone)
    // The driver's types leave out that its parsers take texts.
    const parse = types.getTypeParser(types.builtins.TIMESTAMP) as (text: string) => Date
    fc.assert(
      fc.property(anyMoment, (written) => {
        const text = written.toISOString().replace('T', ' ').replace('Z', '')
        return readTimestamp(text, zoneOf('local'))?.getTime() === parse(text).getTime()
      }),
      { numRuns: runs(500) }
    )
  })

  void t.test(`in ${zone} a written time is the same moment, and its zoneless part is read as it`, async (t) => {
    inZone(t, zone)
    fc.assert(
      fc.property(anyMoment, fc.constantFrom('local', 'Z', '+05:30', '-11:00'), (at, setting) => {
        const own = zoneOf(setting)
        const text = writeTime(at, own)
        const zoneless = text.replace('T', ' ').replace(/[+-]\d\d:\d\d(?::\d\d)?$/, '')
        const read = readTimestamp(zoneless, own)?.getTime() ?? NaN
        // An hour that comes twice is one, and only there.
        const isSame =
          read === at.getTime() ||
          (setting === 'local' &&
            Math.abs(read - at.getTime()) <= 86_400_000 &&
            writeTime(new Date(read), own).startsWith(text.slice(0, 19)))
        return readTimestamp(text.replace('T', ' '))?.getTime() === at.getTime() && isSame
      }),
      { numRuns: runs(500) }
    )
  })
}

const typed = (dataType: string): object => ({ type: 'date', postgresql: { dataType } })

function open(t: Test, url: string, timestampZoneName: string): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url, timestampZone: timestampZoneName }))
  registry.define({
    name: 'Time',
    properties: { id: { type: 'number', id: true }, at: 'date', plain: typed('timestamp'), day: typed('date') } as never
  })
  registry.attach('Time', 'db')
  t.teardown(() => registry.disconnect())
  return registry
}

const settings: readonly (readonly [string, string, string, string])[] = [
  // What LoopBack 3.28 stores at this moment where server and process are in Berlin, and reads of it.
  ['local', '2026-07-01 14:00:00', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  ['Z', '2026-07-01 12:00:00', '2026-07-01', '2026-07-01T00:00:00.000Z'],
  ['-02:30', '2026-07-01 09:30:00', '2026-07-01', '2026-07-01T02:30:00.000Z']
]

for (const [setting, plain, day, dayRead] of settings) {
  void t.test(`columns without a zone are those of the setting ${setting}`, async (t) => {
    inZone(t, 'Europe/Berlin')
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const registry = open(t, database.url, setting)
    await registry.dataSources.get('db')?.connector.migrate?.([registry.typeOf('Time')], { empty: true })
    const Time = registry.get('Time')
    const at = new Date('2026-07-01T12:00:00.000Z')
    await Time.create({ id: 1, at, plain: at, day: at })
    const [stored] = await runOn(
      database.url,
      `select at = '2026-07-01 12:00:00Z' as same, plain::text, day::text from time`
    )
    t.same(stored?.rows, [{ same: true, plain, day }])
    const expected = { at, plain: at, day: new Date(dayRead) }
    t.match(await Time.findById(1), expected)
    t.match(await registry.transaction(() => Time.findById(1)), expected)
    t.equal(await Time.count({ plain: at, at: { inq: [at] }, day: new Date(dayRead) }), 1)
    t.equal(await Time.count({ plain: { gt: at } }), 0)
  })
}
