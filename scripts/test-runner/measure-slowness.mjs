import { createHash } from 'node:crypto'

const rounds = 120_000
const usual = 100

/**
 * How many times slower than usual this machine is now, at least 1: time limits of tests grow by it. Other work, and the other
 * processes of the tests, slow it down.
 * @returns {number}
 */
export function measureSlowness() {
  const begin = performance.now()
  let text = ''
  for (let round = 0; round < rounds; round++) text = createHash('sha256').update(text).digest('hex')
  return Math.min(20, Math.max(1, (performance.now() - begin) / usual))
}
