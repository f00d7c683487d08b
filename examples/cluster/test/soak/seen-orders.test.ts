import t from 'tap'
import { SeenOrders } from '#src/soak/seen-orders.ts'

t.test('orders that were told never, once and twice are told apart', async (t) => {
  const seen = new SeenOrders()
  for (const reference of ['a', 'b', 'b']) seen.take({ type: 'create', target: 1, data: { reference } })
  seen.take({ type: 'update', target: 1, data: { reference: 'c' } })
  t.strictSame(seen.compare(['a', 'b', 'c']), { missed: 1, repeated: 1 })
  t.equal(seen.size, 2)
})
