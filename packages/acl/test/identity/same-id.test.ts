import t from 'tap'
import { sameId } from '#src/identity/same-id.ts'

void t.test('ids are the same when they read the same', async (t) => {
  t.equal(sameId(1, '1'), true)
  t.equal(sameId('a', 'a'), true)
  t.equal(sameId(1, 2), false)
})

void t.test('nothing and structures are no ids', async (t) => {
  for (const none of [undefined, null, '', [1], { id: 1 }, Object.create(null)]) {
    t.equal(sameId(none, none), false)
    t.equal(sameId(1, none), false)
  }
})
