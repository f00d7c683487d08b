import t from 'tap'
import { createPause } from '#src/json/pause.ts'

void t.test('each failure doubles the calls that pass until the next attempt, a success ends the pause', async (t) => {
  const pause = createPause()
  const passing = (): number => {
    let calls = 0
    while (!pause.isOver()) calls++
    return calls
  }
  t.equal(passing(), 0)
  const waits = Array.from({ length: 10 }, () => {
    pause.failed()
    return passing()
  })
  t.strictSame(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256])
  pause.failed()
  pause.succeeded()
  t.equal(passing(), 0)
})
