import { until } from '@modelwire/test-waits'
import t from 'tap'
import { startLoop } from '#src/start-loop.ts'

t.test('what rounds fail with is told once, until one fails with something else or succeeds', async (t) => {
  const outcomes = ['no table', 'no table', 'no connection', 'no connection', '', '', 'no table', '']
  const told: string[] = []
  const left = [...outcomes]
  const round = async (): Promise<boolean> => {
    const failure = left.shift() ?? ''
    if (failure !== '') throw new Error(failure)
    return false
  }
  const loop = startLoop(round, {
    interval: 0.001,
    onError: (error) => told.push(String(error)),
    onRecovered: () => told.push('recovered')
  })
  await until(() => told.length === 5, 'all rounds')
  await loop.stop()
  t.strictSame(told, ['Error: no table', 'Error: no connection', 'recovered', 'Error: no table', 'recovered'])
})
