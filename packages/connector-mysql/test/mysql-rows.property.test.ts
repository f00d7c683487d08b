import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { readingIn } from '#src/mysql-rows.ts'
import { timeZone } from '#src/mysql-zone.ts'

const two = (number: number): string => String(number).padStart(2, '0')

const time = fc
  .tuple(
    fc.nat({ max: 9999 }),
    fc.nat({ max: 12 }),
    fc.nat({ max: 31 }),
    fc.nat({ max: 23 }),
    fc.stringMatching(/^\d{0,6}$/)
  )
  .map(([year, month, day, hour, part]) => {
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
    return `${date} ${two(hour)}:59:59${part === '' ? '' : `.${part}`}`
  })
const day = time.map((text) => text.slice(0, 10))

/** What the driver may give for columns of a kind. */
const values = {
  text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '"', '\\'), fc.integer()),
  number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.stringMatching(/^-?\d{1,20}$/)),
  date: fc.oneof(time, day),
  boolean: fc.constantFrom(0, 1, 'Y', Buffer.from([1])),
  json: fc.json()
} as const

for (const zone of ['Z', '+02:00', 'local'])
  for (const [kind, sent] of Object.entries(values))
    void t.test(`a ${kind} is written as the value that is read, in the zone ${zone}`, async () => {
      const { read, write } = readingIn(timeZone(zone))({ kind: kind as keyof typeof values })
      fc.assert(
        fc.property(sent as fc.Arbitrary<unknown>, (value) => {
          // It takes what the driver gives.
          const written = write?.(value as never)
          return written === undefined || written === (JSON.stringify(read(value)) ?? 'null')
        }),
        { numRuns: runs(1000) }
      )
    })
