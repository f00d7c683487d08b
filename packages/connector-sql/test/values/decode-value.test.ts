import t from 'tap'
import type { ColumnKind, SqlDialect } from '@modelwire/connector-sql'
import { decodeValue, readRows } from '#src/values/decode-value.ts'

const cases: readonly (readonly [kind: ColumnKind, value: unknown, decoded: unknown])[] = [
  ['number', '12.50', 12.5],
  ['boolean', 1, true],
  ['boolean', 'N', false],
  ['boolean', 'Y', true],
  ['boolean', Buffer.from([1]), true],
  ['date', 86_400_000, new Date('1970-01-02')],
  ['date', '2020-01-02 03:04:05', new Date('2020-01-02T03:04:05Z')],
  ['date', 'never', 'never'],
  ['text', new Date('2020-01-02'), '2020-01-02T00:00:00.000Z'],
  ['text', 5, '5'],
  ['json', '{"a":[1]}', { a: [1] }],
  ['json', 'no json', 'no json'],
  ['binary', new Uint8Array([1, 2]).buffer, Buffer.from([1, 2])]
]

void t.test('values of existing columns get the type that the property declares', async (t) => {
  for (const [kind, value, decoded] of cases)
    t.strictSame(decodeValue(kind, value), decoded, `${kind} ${String(value)}`)
})

void t.test('rows that the driver reads by their columns are not read by their names as well', (t) => {
  const result = {
    get rows(): never {
      throw new Error('read by their names')
    },
    rowsOf: () => [{ id: 1 }]
  }
  t.strictSame(readRows({} as SqlDialect, [], result), [{ id: 1 }]) // nothing is decoded
  t.end()
})
