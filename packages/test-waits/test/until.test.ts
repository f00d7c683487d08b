import t from 'tap'
import { until } from '#src/until.ts'

t.test('until resolves with the first value that is there', async (t) => {
  const values = [undefined, null, false, 0]
  t.equal(await until(() => values.shift(), 'a value'), 0)
  t.equal(await until(async () => 'at once', 'a value'), 'at once')
})

t.test('until looks at least once, and fails with what it waited for', async (t) => {
  let looks = 0
  const look = (): boolean => {
    looks++
    return false
  }
  await t.rejects(until(look, 'a server', 0), { message: 'Timed out after 0 ms waiting for a server' })
  t.equal(looks, 1)
  await t.rejects(
    until(look, () => `a third look, not ${looks}`, 1),
    { message: /waiting for a third look, not [2-9]/ }
  )
})

t.test('until passes on what its condition throws', async (t) => {
  const broken = async (): Promise<boolean> => {
    throw new TypeError('broken')
  }
  await t.rejects(until(broken, 'a server'), { message: 'broken' })
})
