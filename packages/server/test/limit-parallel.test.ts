import t from 'tap'
import { limitParallel } from '#src/promises.ts'

t.test('no more tasks run at once than there are places', async (t) => {
  const run = limitParallel(2)
  let [running, most] = [0, 0]
  const task = async (): Promise<void> => {
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  const failing = run(async () => {
    throw new Error('no')
  })
  await t.rejects(failing)
  await Promise.all(Array.from({ length: 7 }, () => run(task)))
  t.strictSame([most, running], [2, 0])
})
