import t from 'tap'
import { takeTime } from '#src/until.ts'

t.test('takeTime takes its time, and wants to know why', async (t) => {
  const begin = performance.now()
  await takeTime(10, 'a test of it')
  t.ok(performance.now() - begin >= 9)
  await t.rejects(takeTime(10, ''), TypeError)
})
