import t from 'tap'
import { RemoteHooks, type RemotePhase } from '#src/operations/remote-hooks.ts'
import type { OperationContext } from '#src/operations/operation-context.ts'

/** Registers hooks named after their patterns and lists those that would run. */
function listHooks(patterns: readonly string[], method: string, phase: RemotePhase = 'before'): unknown[] {
  const hooks = new RemoteHooks()
  for (const pattern of patterns) hooks.add('before', pattern, () => pattern)
  return hooks.find(phase, method).map((hook) => hook({} as OperationContext))
}

const matching: readonly (readonly [pattern: string, method: string, matches: boolean])[] = [
  ['Product.find', 'Product.find', true],
  ['Product.find', 'Product.findById', false],
  ['Product.find', 'Order.find', false],
  ['Product.*', 'Product.find', true],
  ['Product.*', 'Product.prototype.save', false],
  ['Product.**', 'Product.find', true],
  ['Product.**', 'Product.prototype.save', true],
  ['Product.prototype.*', 'Product.prototype.save', true],
  ['Product.prototype.*', 'Product.find', false],
  ['Product.prototype.save', 'Product.prototype.save', true],
  ['*.find', 'Product.find', true],
  ['*.*', 'Product.find', true],
  ['*.*', 'Product.prototype.save', false],
  ['*.prototype.save', 'Product.prototype.save', true],
  ['**', 'Product.find', true],
  ['**', 'Product.prototype.save', true],
  ['Product', 'Product.find', false],
  ['Product.find.more', 'Product.find', false],
  ['product.find', 'Product.find', false],
  ['Product.fin*', 'Product.find', false],
  ['Product.constructor', 'Product.find', false]
]

t.test('patterns match methods by their segments', async (t) => {
  for (const [pattern, method, matches] of matching) {
    t.equal(listHooks([pattern], method).length, matches ? 1 : 0, `${pattern} and ${method}`)
  }
})

const orders: readonly (readonly [method: string, registered: readonly string[], run: readonly string[]])[] = [
  ['Product.work', ['**', 'Product.*', 'Product.work'], ['Product.work', 'Product.*', '**']],
  ['Product.work', ['Product.**', 'Product.*', 'Product.work'], ['Product.work', 'Product.*', 'Product.**']],
  ['Product.work', ['*.work', 'Product.**', '*.*'], ['Product.**', '*.work', '*.*']],
  [
    'Product.prototype.go',
    ['Product.**', 'Product.prototype.*', 'Product.prototype.go'],
    ['Product.prototype.go', 'Product.prototype.*', 'Product.**']
  ]
]

t.test('the exact name runs before *, and * before **, whatever was registered first', async (t) => {
  for (const [method, registered, run] of orders) {
    t.strictSame(listHooks(registered, method), run)
    t.strictSame(listHooks(registered.toReversed(), method), run)
  }
})

t.test('hooks of one pattern run in the order of registration', async (t) => {
  const hooks = new RemoteHooks()
  const [first, second] = [() => 1, () => 2]
  hooks.add('after', 'A.b', first)
  hooks.add('after', 'A.b', second)
  t.strictSame(hooks.find('after', 'A.b'), [first, second])
})

t.test('phases are apart', async (t) => {
  t.strictSame(listHooks(['**'], 'A.b', 'after'), [])
  t.strictSame(listHooks(['**'], 'A.b', 'error'), [])
})

t.test('only hooks without * name exactly one method', async (t) => {
  const hooks = new RemoteHooks()
  const hook = () => 1
  for (const pattern of ['**', 'A.*', 'A.b', 'A.c']) hooks.add('before', pattern, pattern === 'A.b' ? hook : () => 2)
  t.strictSame(hooks.findExact('before', 'A.b'), [hook])
  t.strictSame(hooks.findExact('after', 'A.b'), [])
})
