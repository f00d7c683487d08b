import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { readColumn } from '#src/postgresql-types.ts'
import { readTimestamp } from '@modelwire/connector-sql'

const two = (number: number): string => String(number).padStart(2, '0')

/** What PostgreSQL writes in its ISO style for a time, in a zone so many seconds ahead. */
function write(time: Date, micros: string, ahead: number): string {
  const local = new Date(time.getTime() + ahead * 1000).toISOString()
  const fraction = `${local.slice(20, 23)}${micros}`.replace(/0+$/, '')
  const size = Math.abs(ahead)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop()
  const zone = `${ahead < 0 ? '-' : '+'}${parts.map(two).join(':')}`
  return `${local.slice(0, 10)} ${local.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}${zone}`
}

const ahead = fc.oneof(
  fc.integer({ min: -15 * 4, max: 15 * 4 }).map((quarters) => quarters * 900),
  fc.integer({ min: -57_599, max: 57_599 })
)
const micros = fc.constantFrom('', '000', '001', '5', '999')
// A day is left at both ends for the zone.
const time = fc.date({ min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })

void t.test('a time is read as it was written, in every zone, cut to milliseconds', async () => {
  fc.assert(
    fc.property(time, micros, ahead, (at, digits, seconds) => {
      return readTimestamp(write(at, digits, seconds))?.getTime() === at.getTime()
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('another text than a time of this form is no time', async () => {
  const piece = fc.constantFrom(
    'infinity',
    '-',
    '2020-01-31',
    ' ',
    '12:30:05',
    '.1',
    '+00',
    '+',
    ' BC',
    '12345',
    'x',
    'T',
    'Z'
  )
  const known = /^\d{4,6}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d(?::\d\d){0,2})?)?(?: BC)?$/
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      return known.test(text) || readTimestamp(text) === undefined
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('a number is read as JavaScript writes it', async () => {
  const [int8, float8] = [20, 701]
  fc.assert(
    fc.property(fc.double(), fc.maxSafeInteger(), (float, whole) => {
      const [read, counted] = [readColumn({ kind: 'number' }, float8), readColumn({ kind: 'number' }, int8)]
      // A text has no sign of a zero.
      return Object.is(read(String(float)), float === 0 ? 0 : float) && counted(String(whole)) === whole
    })
  )
})
