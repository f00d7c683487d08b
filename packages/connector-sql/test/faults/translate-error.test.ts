import t from 'tap'
import type { Fault, PlainFault, SqlDialect } from '@modelwire/connector-sql'
import { translateError } from '#src/statement/translate-error.ts'

/** A dialect that takes every error for one fault. */
const dialectOf = (fault: Fault | undefined): SqlDialect =>
  // Nothing else of it is asked.
  ({ fault: () => fault }) as unknown as SqlDialect

const failure = new Error('as the driver says')
const atMost = { rows: 5, bytes: 1000, options: { rows: 'most.rows', bytes: 'most.bytes' } }
const [read, write] = [{ sql: 'select 1' }, { sql: 'insert into x default values' }]

const plain: readonly (readonly [kind: Exclude<PlainFault, 'tooLarge'>, told: object])[] = [
  ['value', { code: 'VALUE_REFUSED', statusCode: 400 }],
  ['lost', { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }],
  ['connectTimeout', { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }],
  ['hostNotReady', { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }],
  ['outdated', { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }],
  ['timeout', { code: 'STATEMENT_TIMEOUT', statusCode: 503 }],
  ['full', { code: 'DATABASE_FULL', statusCode: 507 }],
  ['conflict', { code: 'TRANSACTION_CONFLICT', statusCode: 409 }],
  ['missing', { code: 'DATABASE_SCHEMA_MISSING', statusCode: 500 }],
  ['pattern', { code: 'INVALID_PATTERN', statusCode: 400 }],
  ['denied', { code: 'DATABASE_PERMISSION_DENIED', statusCode: 500 }],
  ['other', { code: 'DATABASE_FAILED', statusCode: 500, message: /as the driver says/ }]
]

for (const [kind, told] of plain)
  void t.test(`a fault of the kind ${kind} has a code, and the driver's error as its cause`, async (t) => {
    t.match(translateError(dialectOf({ kind }), failure, {}), { ...told, cause: failure })
  })

void t.test('what is too large is an answer in a read, and a value in a write', async (t) => {
  const dialect = dialectOf({ kind: 'tooLarge' })
  const answer = { code: 'ANSWER_TOO_LARGE', statusCode: 400, exceeded: 'bytes', message: /1000 bytes.*"most.bytes"/ }
  t.match(translateError(dialect, failure, { atMost, statement: read }), answer)
  t.match(translateError(dialect, failure, { statement: write }), { code: 'VALUE_REFUSED', statusCode: 400 })
  t.match(translateError(dialect, failure, {}), { code: 'VALUE_REFUSED' }, 'a commit')
})

void t.test('what the language cannot hold in one piece has a code, whatever the database', async (t) => {
  const failures = [
    Object.assign(new Error('Cannot create a string longer than 0x1fffffe8 characters'), {
      code: 'ERR_STRING_TOO_LONG'
    }),
    new RangeError('Invalid string length'),
    new RangeError('Array buffer allocation failed')
  ]
  for (const each of failures) {
    const told = translateError(dialectOf(undefined), each, { atMost, statement: read })
    t.match(told, { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes', message: /at once/, cause: each })
  }
})

void t.test('an error that is not of the database stays as it is', async (t) => {
  const mistake = new RangeError('Maximum call stack size exceeded')
  t.equal(translateError(dialectOf(undefined), mistake, {}), mistake)
})
