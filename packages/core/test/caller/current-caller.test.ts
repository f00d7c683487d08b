import t from 'tap'
import { currentCaller, onBehalfOf } from '#src/caller/caller.ts'

t.test('nobody calls outside of a call', async (t) => {
  t.strictSame(currentCaller(), {})
})

async function work() {
  await Promise.resolve()
  return currentCaller()
}

t.test('the caller follows asynchronous work, without the limits of the outer filter', async (t) => {
  const options = {
    accessToken: { userId: 1 },
    prohibitHiddenPropertiesInQuery: true,
    maxDepthOfQuery: 5,
    maxDepthOfData: 5
  }
  t.strictSame(await onBehalfOf(options, work), { accessToken: { userId: 1 } })
  t.strictSame(currentCaller(), {})
})

t.test('what one observer changes in its copy stays there', async (t) => {
  onBehalfOf({ a: 1 }, () => {
    currentCaller()['b'] = 2
    t.strictSame(currentCaller(), { a: 1 })
  })
})

t.test('calls within calls have their own caller', async (t) => {
  onBehalfOf({ who: 'outer' }, () => {
    onBehalfOf({ who: 'inner' }, () => t.strictSame(currentCaller(), { who: 'inner' }))
    t.strictSame(currentCaller(), { who: 'outer' })
  })
})
