import t from 'tap'
import { keepPerText } from '#src/values/caches.ts'

t.test('a value is made once for an object and a text, be it false', async (t) => {
  const keep = keepPerText<string | boolean>()
  const [first, second] = [{}, {}]
  t.equal(
    keep(first, 'a', () => false),
    false
  )
  t.equal(
    keep(first, 'a', () => 'again'),
    false
  )
  t.equal(
    keep(first, 'b', () => 'other text'),
    'other text'
  )
  t.equal(
    keep(second, 'a', () => 'other object'),
    'other object'
  )
})

t.test('what is kept while another value is made stays', async (t) => {
  const keep = keepPerText<string>()
  const key = {}
  t.equal(
    keep(key, 'outer', () => keep(key, 'inner', () => 'made')),
    'made'
  )
  t.equal(
    keep(key, 'inner', () => 'again'),
    'made'
  )
})
