import t from 'tap'
import { takeBound } from '@modelwire/connector-sql'
import { valuesWithBound } from '#src/byte-bound.ts'

void t.test('what kysely hands on is taken apart as it was put together', async (t) => {
  const atMost = { rows: 1, bytes: 2, options: { rows: 'a', bytes: 'b' } }
  const parameters = [1, 'two', null]
  t.same(takeBound(valuesWithBound({ sql: '', parameters, atMost })), { values: parameters, atMost, readsFew: false })
  t.same(takeBound(valuesWithBound({ sql: '', parameters })), {
    values: parameters,
    atMost: undefined,
    readsFew: false
  })
  t.same(takeBound([]), { values: [], atMost: undefined, readsFew: false })
  t.same(takeBound(valuesWithBound({ sql: '', parameters, readsFew: true })), {
    values: parameters,
    atMost: undefined,
    readsFew: true
  })
})
