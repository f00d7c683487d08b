import t from 'tap'
import { takeInTurn } from '../test-runner/take-in-turn.mjs'

t.test('processes that run at once share the files', async (t) => {
  const queue = takeInTurn(files('a', 'b', 'c'))
  const [one, other] = [queue.next(), queue.next()]
  t.same(
    [one, one, other, one].map(({ take }) => take()?.source),
    ['a', 'c', 'b', undefined]
  )
  t.equal(queue.next(), undefined)
})

t.test('a process runs at most 120 files', async (t) => {
  const queue = takeInTurn(files(...Array(250).keys()))
  t.same(drain(queue), [120, 120, 10])
})

t.test('every own file has a process of its own, before the others', async (t) => {
  const queue = takeInTurn([...files('a'), { ...files('own')[0], own: true, long: true }, ...files('b')])
  const first = queue.next()
  t.equal(first.long, true)
  t.same([first.take().source, first.take()], ['own', undefined])
  t.same(drain(queue), [2])
})

t.test('there is no process for no files', async (t) => {
  t.equal(takeInTurn([]).next(), undefined)
})

function files(...names) {
  return names.map((name) => ({ source: `${name}`, compiled: `${name}`, own: false, long: false }))
}

/** How many files each further process takes. */
function drain(queue) {
  const sizes = []
  for (let batch = queue.next(); batch !== undefined; batch = queue.next()) {
    let count = 0
    while (batch.take() !== undefined) count++
    sizes.push(count)
  }
  return sizes
}
