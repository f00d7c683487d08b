import t from 'tap'
import { newTokenId } from '#src/tokens/token-ids.ts'

void t.test('ids have 64 letters and digits, and no two are alike', async (t) => {
  const ids = Array.from({ length: 200 }, newTokenId)
  for (const id of ids) t.match(id, /^[A-Za-z0-9]{64}$/)
  t.equal(new Set(ids).size, ids.length)
})
