import t from 'tap'
import { Lanes, placesOf } from '#src/delivery/start-sender.ts'

t.test('an endpoint is as quick as its last answer was', async (t) => {
  const lanes = new Lanes(100)
  t.equal(lanes.of('a'), 'new')
  lanes.note('a', 101)
  t.equal(lanes.of('a'), 'slow')
  lanes.note('a', 100)
  t.equal(lanes.of('a'), 'quick')
})

t.test('endpoints to which nothing was sent for long are new again', async (t) => {
  const lanes = new Lanes(100)
  for (let at = 0; at <= 1000; at++) lanes.note(String(at), 1)
  t.strictSame([lanes.of('0'), lanes.of('1')], ['new', 'quick'])
  t.equal(lanes.idsIn('quick').length, 1000)
  t.strictSame(lanes.idsIn('slow'), [])
})

t.test('slow endpoints and new ones leave places to quick ones', async (t) => {
  t.strictSame(placesOf(20), { quick: 20, slow: 5, new: 10 })
  t.strictSame(placesOf(1), { quick: 1, slow: 1, new: 1 })
})
