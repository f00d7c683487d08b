import t from 'tap'
import { createUuidV1, uuidV1 } from '#src/types/compile-type.ts'

const shape = /^[\da-f]{8}-[\da-f]{4}-1[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** The 60 bits of time in the order of their weight. */
function timeOf(uuid: string): bigint {
  const [low = '', middle = '', high = ''] = uuid.split('-')
  return BigInt(`0x${high.slice(1)}${middle}${low}`)
}

t.test('a UUID of version 1 has its shape', async (t) => {
  for (let count = 0; count < 100; count++) t.match(uuidV1(), shape)
})

t.test('each UUID is later than the one before, also within a millisecond and when the clock goes back', async (t) => {
  const times = [1000, 1000, 1000, 500, 1001]
  const next = createUuidV1(() => times.shift() ?? 0)
  const made = Array.from({ length: 5 }, () => timeOf(next()))
  t.strictSame(
    made,
    made.toSorted((a, b) => Number(a - b))
  )
  t.equal(new Set(made).size, 5)
})

t.test('the time is the one that the UUID says', async (t) => {
  const now = Date.UTC(2020, 0, 2)
  const uuid = createUuidV1(() => now)()
  t.equal((timeOf(uuid) - 122192928000000000n) / 10000n, BigInt(now))
})

t.test('all UUIDs of a process have one random node, which is no network card', async (t) => {
  const [first, second] = [uuidV1(), createUuidV1()()]
  t.equal(first.slice(24), second.slice(24))
  t.equal(Number.parseInt(first.slice(24, 26), 16) & 1, 1)
})
