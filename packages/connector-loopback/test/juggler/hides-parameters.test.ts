import { runInThisContext } from 'node:vm'
import t from 'tap'
import { hidesParameters } from '#src/juggler/with-callback.ts'

type Fn = (...args: unknown[]) => unknown

// The sources are texts, so that they are what they look like: a compiler leaves out comments.
// The text is that of a function.
const make = (source: string): Fn => runInThisContext(`(${source})`) as Fn

void t.test('what may take more than it counts is found', async (t) => {
  const sources = [
    '(...all) => all',
    'function (model, ...rest) {}',
    '(model, callback = () => {}) => callback()',
    'function (model /* the (only) one */, callback = null) {}',
    'async (model, { callback } = {}) => callback',
    'function () { return this.call.apply(this, arguments) }',
    'function () { return () => arguments }',
    '({ find(model, callback = null) {} }).find',
    '({ ["fi{nd"](...all) {} })["fi{nd"]',
    '({ async *all() { yield arguments } }).all',
    'new (class { find() { return arguments.length } })().find',
    '(class { static find(...all) {} }).find'
  ]
  for (const source of sources) t.equal(hidesParameters(make(source)), true, source)
})

void t.test('what cannot is told from it, whatever stands in its body', async (t) => {
  const sources = [
    '() => {}',
    'function () {}',
    '(model) => model.isOpen = true',
    'model => [...model.list]',
    'function (model) { return Math.max(...model.list, (this.size = 1)) }',
    'function () { /* arguments, ...rest */ return "arguments" }',
    '({ callback }, model) => callback',
    '({ close() { this.open = false } }).close',
    '({ async "close it"() {} })["close it"]',
    'new (class { close() { [...this.all].forEach((each = 1) => each) } })().close'
  ]
  for (const source of sources) t.equal(hidesParameters(make(source)), false, source)
})

void t.test('what cannot be read is taken for one that may', async (t) => {
  const bound = make('function () {}').bind(null)
  t.equal(hidesParameters(bound), true)
  t.equal(hidesParameters(make('Math.max')), true)
  t.equal(hidesParameters(make('new (class { #close() {} get() { return this.#close } })().get()')), true)
})
