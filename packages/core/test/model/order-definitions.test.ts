import t from 'tap'
import { orderDefinitions } from '#src/model/model-lineage.ts'
import { ModelRegistry } from '#src/registry.ts'

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

t.test('bases come before the models that extend them', async (t) => {
  const ordered = orderDefinitions([
    { name: 'Digest', base: 'Magazine' },
    { name: 'Magazine', base: 'Publication' },
    { name: 'Note', base: null },
    { name: 'Publication' }
  ])
  t.strictSame(names(ordered), ['Note', 'Publication', 'Magazine', 'Digest'])
})

t.test('models without a base in the list keep their order', async (t) => {
  t.strictSame(names(orderDefinitions([{ name: 'B' }, { name: 'A', base: 'Elsewhere' }, { name: 'C' }])), [
    'B',
    'A',
    'C'
  ])
})

t.test('a base that is defined already need not be waited for', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Publication' })
  t.strictSame(names(orderDefinitions([{ name: 'Magazine', base: 'Publication' }], registry)), ['Magazine'])
})

t.test('circles come last', async (t) => {
  const circle = [{ name: 'A', base: 'B' }, { name: 'B', base: 'A' }, { name: 'C' }, { name: 'D', base: 'D' }]
  t.strictSame(names(orderDefinitions(circle)), ['C', 'A', 'B', 'D'])
})

t.test('hundreds of models in a chain are ordered in a moment', async (t) => {
  const chain = Array.from({ length: 400 }, (_, index) => ({
    name: `M${index}`,
    base: index === 0 ? null : `M${index - 1}`
  }))
  t.strictSame(names(orderDefinitions(chain.toReversed())), names(chain))
})
