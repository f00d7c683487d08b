import { writeStatement, type Sql, sql } from '@modelwire/connector-sql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import { Client, types } from 'pg'
import t, { type Test } from 'tap'
import { postgresqlJsonText } from '#src/json/postgresql-json-text.ts'
import { readColumn } from '#src/values/read-column.ts'
import { columnOf } from '../fixtures/column-of.ts'

/** Text that the database writes for a value of a column, and what it holds: null where it leaves the value to others. */
type Write = (value: string, kind: 'date' | 'number', type: string) => Promise<Written>

interface Written {
  readonly json: string | null
  readonly stored: string
}

async function open(t: Test, zone = 'UTC'): Promise<Write> {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  t.teardown(async () => {
    await client.end()
    await database.drop()
  })
  await client.query(`set timezone to '${zone}'`)
  const notation = { quote: (name: string) => `"${name}"`, placeholder: (place: number) => `$${place}` }
  return async (value, kind, type) => {
    const json = postgresqlJsonText.writeValue(sql.raw('value'), columnOf(kind), type)
    if (json === undefined) throw new Error(`no value of the type ${type} is written`)
    const given: Sql = sql`select ${json} as json, value::text as stored from (select ${value}::${sql.raw(type)} as value) as given`
    const { sql: text, parameters } = writeStatement(notation, given)
    const { rows } = await client.query<Written>(text, [...parameters])
    const [row] = rows
    if (row === undefined) throw new Error('no row came')
    return row
  }
}

const moments = [
  Date.UTC(2026, 2, 8, 2),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 4, 2),
  Date.UTC(1883, 10, 18, 12),
  Date.UTC(1000, 0, 1),
  Date.UTC(9999, 11, 31)
]
const two = (part: number): string => String(part).padStart(2, '0')
const usualTime = fc
  .tuple(fc.constantFrom(...moments), fc.integer({ min: -14_400, max: 14_400 }), fc.nat({ max: 999_999 }))
  .map(([moment, seconds, micros]) => {
    const [day, time] = new Date(moment + seconds * 1000).toISOString().split(/[T.]/)
    return `${day} ${time}.${String(micros).padStart(6, '0')}`
  })
const oddTime = fc
  .tuple(fc.integer({ min: 1, max: 290_000 }), fc.nat({ max: 11 }), fc.nat({ max: 27 }), fc.constantFrom('', ' BC'))
  .filter(([year, , , era]) => era === '' || year < 4000)
  .map(
    ([year, month, day, era]) =>
      `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day + 1)} 00:00:00.0005${era}`
  )
const anyTime = fc.oneof(usualTime, oddTime, fc.constantFrom('infinity', '-infinity', '2016-12-31 23:59:60'))

for (const zone of ['UTC', 'America/New_York', 'Europe/Amsterdam', 'Australia/Lord_Howe']) {
  void t.test(`times in columns of every type are those that are read, in ${zone}`, async (t) => {
    const known = process.env['TZ']
    process.env['TZ'] = zone
    t.teardown(() => {
      if (known === undefined) delete process.env['TZ']
      else process.env['TZ'] = known
    })
    const write = await open(t, zone)
    const { TIMESTAMP, TIMESTAMPTZ, DATE } = types.builtins
    const columns = [
      ['timestamp', TIMESTAMP],
      ['timestamptz', TIMESTAMPTZ],
      ['date', DATE]
    ] as const
    await fc.assert(
      fc.asyncProperty(anyTime, fc.constantFrom(...columns), async (time, [type, number]) => {
        const { json, stored } = await write(time, 'date', type)
        const read = JSON.stringify(readColumn({ kind: 'date' }, number)(stored))
        // Years of four digits from 1000 on are all that is written.
        return json === null
          ? !/^[1-9]\d{3}-/.test(stored) || stored.endsWith(' BC') || !/^"[1-9]/.test(read)
          : json === read
      }),
      { numRuns: runs(120) }
    )
  })
}

void t.test('numbers of single precision are those that their digits mean', async (t) => {
  const write = await open(t)
  await fc.assert(
    fc.asyncProperty(fc.float({ noNaN: true, noDefaultInfinity: true }), async (number) => {
      const { json, stored } = await write(String(number), 'number', 'float4')
      const read = readColumn({ kind: 'number' }, types.builtins.FLOAT4)(stored)
      return json === null || json === JSON.stringify(read)
    }),
    { numRuns: runs(500) }
  )
})
