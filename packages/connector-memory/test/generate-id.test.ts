import t from 'tap'
import { createIdGenerator } from '#src/generate-id.ts'

void t.test('ids have 24 hexadecimal characters and sort in the order in which they were made', async (t) => {
  const generateId = createIdGenerator()
  const ids = Array.from({ length: 10_000 }, generateId)
  t.ok(ids.every((id) => /^[0-9a-f]{24}$/.test(id)))
  t.same(ids.toSorted(), ids)
  t.equal(new Set(ids).size, ids.length)
})

void t.test('ids keep their order when the clock goes back', async (t) => {
  const times = [5, 5, 3, 4, 6]
  const generateId = createIdGenerator(() => times.shift() ?? 7)
  const ids = Array.from({ length: 6 }, generateId)
  t.same(ids.toSorted(), ids)
})

void t.test('generators of two processes do not make the same ids', async (t) => {
  const [a, b] = [createIdGenerator(() => 1), createIdGenerator(() => 1)]
  t.not(a(), b())
})
