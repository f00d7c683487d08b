import t from 'tap'
import { countWithin, limitWithin } from '#src/connector/within-bounds.ts'

const options = { rows: 'list.records', bytes: 'list.bytes' }

void t.test('one row more than the bound is read, where the filter asks for so many', async (t) => {
  const atMost = { rows: 10, bytes: Infinity, options }
  t.equal(limitWithin({}), undefined)
  t.equal(limitWithin({ limit: 5 }), 5)
  t.equal(limitWithin({ atMost }), 11)
  t.equal(limitWithin({ limit: 50, atMost }), 11)
  t.equal(limitWithin({ limit: 3, atMost }), 3)
  t.equal(limitWithin({ atMost: { ...atMost, rows: Infinity } }), undefined)
})

void t.test('rows are counted until one of them is too many, or too large', async (t) => {
  const count = countWithin({ rows: 2, bytes: 100, options })
  count({ name: 'x'.repeat(20) })
  count({ name: 'y' })
  const rows = {
    code: 'ANSWER_TOO_LARGE',
    statusCode: 400,
    exceeded: 'rows',
    message: /more than 2 records.*"list.records"/
  }
  t.throws(() => count({}), rows)
  const other = countWithin({ rows: Infinity, bytes: 100, options })
  other({ name: 'x'.repeat(80) })
  const bytes = { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes', message: /more than 100 bytes.*"list.bytes"/ }
  t.throws(() => other({ name: 'x'.repeat(20) }), bytes)
  t.doesNotThrow(() => countWithin(undefined)({ name: 'x'.repeat(1000) }))
})
