import t from 'tap'
import { createBoundedCache } from '#src/values/caches.ts'

void t.test('the entry that was used longest ago is driven out', async (t) => {
  const cache = createBoundedCache<string, object>(2)
  const [a, b, c] = [{}, {}, {}]
  cache.set('a', a)
  cache.set('b', b)
  cache.get('a')
  cache.set('c', c)
  t.equal(cache.get('a'), a)
  t.equal(cache.get('b'), undefined)
  t.equal(cache.get('c'), c)
  t.equal(cache.size, 2)
})

void t.test('setting a key again changes its value and drives out nothing', async (t) => {
  const cache = createBoundedCache<string, { n: number }>(2)
  cache.set('a', { n: 1 })
  cache.set('b', { n: 1 })
  cache.set('a', { n: 2 })
  t.same([cache.get('a'), cache.get('b')], [{ n: 2 }, { n: 1 }])
})
