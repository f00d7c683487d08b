import { ModelRegistry } from '@modelwire/core'
import { Records } from '@modelwire/core/plugin'
import t from 'tap'
import { countParts } from '#src/output/answer-size.ts'

const options = { rows: 'answer.records', bytes: 'answer.bytes' }

void t.test('the parts of an answer are bounded together, with what they include', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Item' })
  const model = registry.typeOf('Item')
  const two = new Records(model, { rows: [{ id: 1 }, { id: 2 }] })
  const including = two.with({ related: [{ others: two }, { others: two }] })
  const count = countParts({ rows: 10, bytes: 100, options })
  count(two, 50)
  count(including, 50)
  count(two, 0)
  t.throws(() => count(two, 0), { code: 'ANSWER_TOO_LARGE', exceeded: 'rows' })
  const bytes = countParts({ rows: 10, bytes: 100, options })
  bytes(two, 100)
  t.throws(() => bytes(two, 1), { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
})
