import t from 'tap'
import { fitSlope } from '#src/soak/fit-slope.ts'

t.test('a straight line has its own slope, in units per minute, and no doubt', async (t) => {
  const samples = [0, 10, 20, 30].map((at) => ({ at, value: 5 + at / 2 }))
  t.strictSame(fitSlope(samples), { perMinute: 30, margin: 0, samples: 4 })
})

t.test('the interval is that of Student', async (t) => {
  // The line is 2.6 + 0.7 x; 3.182 is the quantile for three degrees of freedom, 10 the sum of squares of x about its mean.
  const values = [2, 4, 5, 3, 6]
  const slope = fitSlope(values.map((value, at) => ({ at: at * 60, value })))
  t.equal(slope?.perMinute.toFixed(6), '0.700000')
  t.equal(slope?.samples, 5)
  const residuals = values.map((value, at) => value - (2.6 + 0.7 * at))
  const squares = residuals.reduce((total, each) => total + each * each, 0)
  t.equal(slope?.margin.toFixed(4), (3.182 * Math.sqrt(squares / 3 / 10)).toFixed(4))
})

t.test('two samples say nothing of how sure their line is', async (t) => {
  t.equal(
    fitSlope([
      { at: 0, value: 1 },
      { at: 1, value: 2 }
    ]),
    undefined
  )
})
