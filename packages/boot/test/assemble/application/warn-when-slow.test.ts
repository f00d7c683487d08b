import t from 'tap'
import { warnWhenSlow } from '#src/assemble/application/run-boot-scripts.ts'

void t.test('warns of slow work once, and waits for it', async (t) => {
  const { promise, resolve } = withResolvers()
  let warnings = 0
  await warnWhenSlow(promise, 1, () => {
    warnings++
    resolve()
  })
  t.equal(warnings, 1)
})

void t.test('quick work and failing work are not slow', async (t) => {
  const warn = (): void => {
    t.fail('it was not slow')
  }
  await warnWhenSlow(Promise.resolve(), 1000, warn)
  await t.rejects(warnWhenSlow(Promise.reject(new Error('no')), 1000, warn), { message: 'no' })
})

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
