import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { followApart } from './follow-apart.ts'
import { noDifference, tellApart } from './tell-apart.ts'

const connector = async () => memory()

void t.test('whatever a caller asks for or changes, what it may not see makes no difference', async (t) => {
  t.equal(await tellApart({ runs: 10, requests: 25, time: 7000, connector }), noDifference)
})

void t.test('nor does it to a caller who follows changes', async (t) => {
  t.equal(await followApart({ runs: 10, requests: 12, time: 5000, connector }), noDifference)
})
