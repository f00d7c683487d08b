import t from 'tap'
import { acceptCallback, callBridged, callHook, type ScriptFunction, splitCallback } from '#src/callback-bridge.ts'

type Done = (error?: unknown, ...results: unknown[]) => void

const outcomes: [string, ScriptFunction, object][] = [
  ['a callback with one value', (a, done) => (done as Done)(null, a), { results: [1] }],
  ['a callback with several values', (a, done) => (done as Done)(null, a, 'b'), { results: [1, 'b'] }],
  ['a callback without a value', (_a, done) => (done as Done)(), { results: [] }],
  ['a promise', async (a) => a, { value: 1 }],
  ['a promise of a list', async (a) => [a, 2], { value: [1, 2] }]
]

for (const [name, fn, outcome] of outcomes) {
  void t.test(`takes the answer of ${name}`, async (t) => {
    t.strictSame(await callBridged(fn, undefined, [1]), outcome)
  })
}

const failure = { statusCode: 400, message: 'plain' }
const failures: [string, ScriptFunction, unknown][] = [
  ['called back', (done) => (done as Done)(failure), failure],
  ['a text', (done) => (done as Done)('no'), 'no'],
  ['a number', (done) => (done as Done)(17), 17],
  ['rejected', async () => Promise.reject(failure), failure],
  [
    'thrown',
    () => {
      throw failure as unknown as Error
    },
    failure
  ]
]

for (const [name, fn, error] of failures) {
  void t.test(`passes an error on as it is: ${name}`, async (t) => {
    const thrown: unknown = await callBridged(fn, undefined, []).catch((caught: unknown) => caught)
    t.equal(thrown, error)
  })
}

void t.test('calls with `this` and the callback last', async (t) => {
  const self = {}
  const fn = function (this: unknown, ...args: unknown[]): void {
    t.equal(this, self)
    t.equal(args.length, 3)
    ;(args[2] as Done)(null, args.slice(0, 2))
  }
  t.strictSame(await callBridged(fn, self, [1, undefined]), { results: [[1, undefined]] })
})

const twice: ScriptFunction = (done) => {
  ;(done as Done)(null, 'first')
  ;(done as Done)(null, 'second')
}

const both: ScriptFunction = async (done) => {
  ;(done as Done)(null, 'first')
  return 'second'
}

void t.test('the first answer counts, and a second one is told', async (t) => {
  let told = 0
  const late = { onSecondAnswer: () => void told++ }
  t.strictSame(await callBridged(twice, undefined, [], late), { results: ['first'] })
  t.equal(told, 1)
  t.strictSame(await callBridged(both, undefined, [], late), { results: ['first'] })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(told, 2)
})

void t.test('waits for hooks that declare next, and for promises', async (t) => {
  const log: string[] = []
  const withNext: ScriptFunction = (_ctx, next) => void setImmediate(() => [log.push('next'), (next as Done)()])
  const promising: ScriptFunction = async (_ctx) => {
    await Promise.resolve()
    log.push('promise')
  }
  const plain: ScriptFunction = (_ctx) => void log.push('plain')
  for (const hook of [withNext, promising, plain]) await callHook(hook, undefined, [{}])
  t.strictSame(log, ['next', 'promise', 'plain'])
  await t.rejects(
    callHook((_ctx, next) => (next as Done)(new TypeError('no')), undefined, [{}]),
    TypeError
  )
})

const hook = function (...args: unknown[]): void {
  ;(args[1] as Done)()
}

void t.test('gives next to hooks that do not declare it', async (t) => {
  await callHook(hook, undefined, [{}])
  t.pass()
})

const callback = (): void => {}

void t.test('splits a callback off the arguments', async (t) => {
  t.strictSame(splitCallback([1, callback]), { args: [1], callback })
  t.strictSame(splitCallback([1, 2]), { args: [1, 2], callback: undefined })
  t.strictSame(splitCallback([]), { args: [], callback: undefined })
})

void t.test('a method takes a callback or gives a promise', async (t) => {
  const double = acceptCallback(async (value) => Number(value) * 2)
  t.equal(await double(2), 4)
  const results = await new Promise((resolve) => {
    t.equal(
      double(3, (...given: unknown[]) => resolve(given)),
      undefined
    )
  })
  t.strictSame(results, [null, 6])
})

void t.test('a method calls back with its error, or with several values', async (t) => {
  const fails = acceptCallback(async () => Promise.reject(new RangeError('no')))
  const given = await new Promise((resolve) => fails(resolve))
  t.type(given, RangeError)
  const pair = acceptCallback(
    async () => ['a', true],
    (value) => value as unknown[]
  )
  t.strictSame(await new Promise((resolve) => pair((...args: unknown[]) => resolve(args))), [null, 'a', true])
})
