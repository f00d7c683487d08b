import t from 'tap'
import { readIsolation } from '#src/connector/run-transaction.ts'

void t.test('levels are known in every way of writing them', async (t) => {
  for (const written of ['READ COMMITTED', 'READ_COMMITTED', 'read committed']) {
    t.equal(readIsolation(written), 'read committed')
  }
  t.throws(() => readIsolation('serializable; drop table x'), { code: 'ISOLATION_LEVEL_UNKNOWN' })
})
