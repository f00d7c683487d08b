import t from 'tap'
import { andThen } from '#src/promises.ts'

t.test('a value is gone on with at once', async (t) => {
  t.equal(
    andThen(1, (value) => value + 1),
    2
  )
  t.throws(() => andThen(1, () => JSON.parse('{')))
})

t.test('a promise is waited for', async (t) => {
  const result = andThen(Promise.resolve(1), (value) => value + 1)
  t.type(result, Promise)
  t.equal(await result, 2)
  await t.rejects(async () => andThen(Promise.reject(new TypeError('no')), () => 1), { message: 'no' })
})
