import t from 'tap'
import { makeBatches } from '../test-runner/make-batches.mjs'

t.test('spreads the files evenly over the jobs', async (t) => {
  t.same(sizes(makeBatches(files(7), 2)), [4, 3])
})

t.test('puts at most 40 files into one process', async (t) => {
  t.same(sizes(makeBatches(files(100), 2)), [40, 40, 20])
})

t.test('gives every own file a process of its own, before the others', async (t) => {
  const own = { source: 'own', compiled: 'own', own: true }
  t.same(sizes(makeBatches([own, ...files(2), own], 1)), [1, 1, 2])
})

t.test('makes no batch of no files', async (t) => {
  t.same(makeBatches([], 2), [])
})

function files(count) {
  return Array.from({ length: count }, (_, index) => ({ source: `${index}`, compiled: `${index}`, own: false }))
}

function sizes(batches) {
  return batches.map((batch) => batch.length)
}
