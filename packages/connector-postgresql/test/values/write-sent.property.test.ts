import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import { types } from 'pg'
import t from 'tap'
import { readColumn } from '#src/values/read-column.ts'

const { builtins } = types

const two = (number: number): string => String(number).padStart(2, '0')
const digits = (max: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^\\d{0,${max}}$`))

const float = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.float({ noNaN: true }).map(String),
  fc
    .tuple(fc.constantFrom('', '-'), digits(18), digits(12))
    .map(([sign, whole, part]) => `${sign}${whole || '0'}.${part || '0'}`),
  fc.tuple(fc.constantFrom('', '-'), digits(18)).map(([sign, whole]) => `${sign}${whole || '0'}`),
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '0.000001',
    '1e-07',
    '0.0000001',
    '1e+20',
    '123456789012345',
    '999999999999999.9',
    'NaN',
    'Infinity'
  )
)
const day = fc
  .tuple(fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
  .map(([year, month, date]) => `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`)
const time = fc
  .tuple(day, fc.nat({ max: 23 }), fc.nat({ max: 59 }), fc.nat({ max: 59 }), digits(6))
  .map(([date, hour, minute, second, part]) => {
    return `${date} ${two(hour)}:${two(minute)}:${two(second)}${part === '' ? '' : `.${part}`}`
  })
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('"', '\\', '\u007f\u2028', '\ud800', '\udfff\ud800')
)

/** What a server may send for columns of a kind, by the number of its type. */
const columns = {
  text: [[builtins.TEXT, builtins.VARCHAR, builtins.BPCHAR, builtins.UUID], text],
  number: [[builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC], float],
  date: [
    [builtins.TIMESTAMP, builtins.TIMESTAMPTZ, builtins.DATE],
    fc.oneof(
      day,
      fc
        .tuple(time, fc.constantFrom('', '+00', '-00', '+05:30', '-03', '+00:00:30', ' BC'))
        .map((parts) => parts.join('')),
      fc.constantFrom('infinity', '-infinity')
    )
  ]
} as const

for (const [kind, [numbers, sent]] of Object.entries(columns))
  void t.test(`a ${kind} is written as the value that is read`, async () => {
    const column = { kind: kind as keyof typeof columns }
    fc.assert(
      fc.property(fc.constantFrom<number>(...numbers), sent as fc.Arbitrary<string>, (type, value) => {
        const { read, write } = readColumn(column, type)
        const written = write?.(value)
        return written === undefined || written === (JSON.stringify(read(value)) ?? 'null')
      }),
      { numRuns: runs(3000) }
    )
  })

void t.test('whole numbers and flags are written as they are read', async (t) => {
  fc.assert(
    fc.property(fc.integer(), (number) => {
      const { read, write } = readColumn({ kind: 'number' }, builtins.INT4)
      return write?.(String(number)) === JSON.stringify(read(String(number)))
    })
  )
  const flag = readColumn({ kind: 'boolean' }, builtins.BOOL)
  t.same([flag.write?.('t'), flag.write?.('f'), flag.read('t'), flag.read('f')], ['true', 'false', true, false])
})

void t.test('usual values are not read', async (t) => {
  const written = [
    readColumn({ kind: 'number' }, builtins.FLOAT8).write?.('-12.25'),
    readColumn({ kind: 'number' }, builtins.NUMERIC).write?.('120.05'),
    readColumn({ kind: 'date' }, builtins.TIMESTAMPTZ).write?.('2026-01-28 23:59:59.1234+00'),
    readColumn({ kind: 'date' }, builtins.TIMESTAMP).write?.('2026-01-28 23:59:59'),
    readColumn({ kind: 'text' }, builtins.TEXT).write?.('a "b"')
  ]
  t.same(written, ['-12.25', '120.05', '"2026-01-28T23:59:59.123Z"', '"2026-01-28T23:59:59.000Z"', '"a \\"b\\""'])
})
