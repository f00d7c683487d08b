import t from 'tap'
import { readBounded } from '#src/requests/public-address.ts'

t.test('an answer is read to its end, or to where it becomes too long', async (t) => {
  let read = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read++
      yield Buffer.from('x'.repeat(10))
    }
  }
  await t.rejects(readBounded(endless(), 25), { message: /longer than 25 bytes/ })
  t.equal(read, 3)
  async function* short(): AsyncGenerator<Uint8Array> {
    yield Buffer.from([0xc3])
    yield Buffer.from([0xa4])
  }
  t.equal(await readBounded(short(), 2), 'ä', 'also where a sign is in two parts')
})
