import t from 'tap'
import { compileMethod } from '#src/operations/compile-method.ts'
import { OperationContext, type OperationInput } from '#src/operations/operation-context.ts'
import type { Guard, Operation } from '#src/operations/operation.ts'
import { type RemotePhase, RemoteHooks } from '#src/operations/remote-hooks.ts'
import { compileOperation } from '#src/operations/compile-operation.ts'
import { runOperation } from '#src/operations/run-operation.ts'
import { buildModels } from '../build-models.ts'

const model = buildModels([{ name: 'Book' }]).typeOf('Book')

interface Call {
  readonly spec?: Record<string, unknown>
  readonly more?: Partial<Operation>
  readonly guards?: readonly Guard[]
  readonly hooks?: readonly (readonly [RemotePhase, (context: OperationContext) => unknown])[]
  readonly input?: OperationInput
}

/** Runs an operation and gives its context and what was logged, the method's own `work` included. */
async function run(
  invoke: (context: OperationContext) => unknown,
  { spec = {}, more, guards = [], hooks = [], input }: Call = {}
) {
  const operation: Operation = { ...compileMethod(model, 'lend', spec), invoke, ...more }
  const remoteHooks = new RemoteHooks()
  for (const [phase, hook] of hooks) remoteHooks.add(phase, 'Book.lend', hook)
  const context = new OperationContext(operation, input)
  const result = await runOperation(compileOperation(operation, guards, remoteHooks), context)
  return { context, result }
}

t.test('instance, guards, hooks and method run one after the other', async (t) => {
  const log: string[] = []
  const write = (name: string) => () => void log.push(name)
  await run(write('method'), {
    more: { loadInstance: async () => (log.push('load'), {}) },
    guards: [write('guard 1'), async () => write('guard 2')()],
    hooks: [
      ['after', write('after')],
      ['before', write('before')],
      ['error', write('error')]
    ]
  })
  t.strictSame(log, ['load', 'guard 1', 'guard 2', 'before', 'method', 'after'])
})

t.test('a missing instance is told after the guards and before hooks', async (t) => {
  const log: string[] = []
  const call: Call = {
    more: { loadInstance: async () => undefined },
    guards: [() => void log.push('guard')],
    hooks: [
      ['before', () => log.push('before')],
      ['error', () => log.push('error')]
    ],
    input: { id: '7' }
  }
  await t.rejects(
    run(() => log.push('method'), call),
    { code: 'MODEL_NOT_FOUND', statusCode: 404, message: /"7"/ }
  )
  t.strictSame(log, ['guard', 'error'])
  const refusing = { ...call, guards: [() => Promise.reject(new TypeError('not you'))] }
  await t.rejects(
    run(() => {}, refusing),
    { name: 'TypeError' }
  )
})

t.test(
  'a missing required argument is told after the 404 and the hooks before the method, which may fill it in',
  async (t) => {
    const log: string[] = []
    const spec = { accepts: [{ arg: 'a', required: true }, { arg: 'b' }] }
    const hooks = [
      ['before', () => log.push('before')],
      ['error', () => log.push('error')]
    ] as const
    await t.rejects(
      run(() => {}, { spec, hooks }),
      { code: 'INVALID_ARGUMENT', statusCode: 400, message: /^a / }
    )
    const missing = { loadInstance: async () => undefined }
    await t.rejects(
      run(() => {}, { spec, hooks, more: missing }),
      { code: 'MODEL_NOT_FOUND' }
    )
    t.strictSame(log, ['before', 'error', 'error'], 'hooks of errors hear of it')
    const filling = [['before', (context: OperationContext) => void (context.args['a'] = 1)]] as const
    t.equal((await run(() => 1, { spec, hooks: filling })).result, undefined)
    for (const a of [false, 0, []]) t.equal((await run(() => 1, { spec, input: { args: { a } } })).context.args['a'], a)
    for (const a of [null, ''])
      await t.rejects(
        run(() => 1, { spec, input: { args: { a } } }),
        { code: 'INVALID_ARGUMENT', message: /^a / }
      )
  }
)

t.test('hooks may change arguments and result', async (t) => {
  const { result } = await run(({ args }) => args['a'], {
    spec: { accepts: [{ arg: 'a' }], returns: [{ arg: 'x', root: true }] },
    hooks: [
      ['before', (context) => (context.args = { a: 2 })],
      ['after', (context) => (context.result = [context.result])]
    ],
    input: { args: { a: 1 } }
  })
  t.strictSame(result, [2])
})

for (const failing of ['before', 'method', 'after'] as const) {
  t.test(`an error of ${failing} reaches the error hooks and is thrown`, async (t) => {
    const log: unknown[] = []
    const fail = (at: string) => () => {
      if (at === failing) throw new TypeError(at)
      log.push(at)
    }
    const hooks: Call['hooks'] = [
      ['before', fail('before')],
      ['after', fail('after')],
      ['error', ({ error }) => log.push(error)]
    ]
    await t.rejects(run(fail('method'), { hooks }), { name: 'TypeError', message: failing })
    t.match(log.at(-1), { message: failing })
    t.equal(log.length, 1 + ['before', 'method', 'after'].indexOf(failing))
  })
}

const failInside = () => Promise.reject(new TypeError('inner'))

const replaceError = (context: OperationContext) => {
  context.error = new RangeError('outer')
}

const failAgain = () => {
  throw new SyntaxError('hook')
}

t.test('an error hook may replace the error', async (t) => {
  await t.rejects(run(failInside, { hooks: [['error', replaceError]] }), { name: 'RangeError' })
  await t.rejects(run(failInside, { hooks: [['error', failAgain]] }), { name: 'SyntaxError' })
})

t.test('an error hook that clears the error lets nobody in', async (t) => {
  const log: string[] = []
  const clear = (context: OperationContext): void => {
    context.error = undefined
  }
  const refuse = async (): Promise<never> => failInside()
  await t.rejects(run(() => log.push('method'), { guards: [refuse], hooks: [['error', clear]] }))
  t.strictSame(log, [])
})

t.test('nothing found is told after the hooks, without error hooks', async (t) => {
  const log: string[] = []
  const hooks: Call['hooks'] = [
    ['after', () => log.push('after')],
    ['error', () => log.push('error')]
  ]
  await t.rejects(
    run(() => null, { more: { foundNothing: () => true }, hooks }),
    { code: 'MODEL_NOT_FOUND' }
  )
  t.strictSame(log, ['after'])
})

const status = { arg: 's', http: { target: 'status' } }
const header = { arg: 'X-H', http: { target: 'header' } }

const results: readonly (readonly [returns: unknown, value: unknown, facts: object])[] = [
  // LoopBack 3.28: strong-remoting's toResult gives nothing where nothing is declared.
  [[], 5, { result: undefined }],
  [[{ arg: 'a' }], 5, { result: { a: 5 } }],
  [[{ arg: 'a' }], [1, 2], { result: { a: [1, 2] } }],
  [[{ arg: 'a', root: true }], 5, { result: 5 }],
  [[{ arg: 'a', root: true }], undefined, { result: undefined }],
  [[{ arg: 'a' }, { arg: 'b' }], [1, 2], { result: { a: 1, b: 2 } }],
  [[{ arg: 'a' }, { arg: 'b' }], 1, { result: { a: 1, b: undefined } }],
  [[{ arg: 'a' }, status], [1, 202], { result: { a: 1 }, status: 202 }],
  [[status, { arg: 'a' }], [202, 1], { result: { a: 1 }, status: 202 }],
  [[{ arg: 'a', root: true }, header], [1, 2], { result: 1, headers: { 'X-H': '2' } }],
  [[{ ...header, http: { target: 'header', header: 'X-Other' } }], 'v', { result: {}, headers: { 'X-Other': 'v' } }],
  [[status], 204, { result: {}, status: 204 }],
  [[status, header], undefined, { result: {}, status: undefined, headers: undefined }],
  [[{ arg: 'a' }, status, header], [1, null, null], { result: { a: 1 }, status: undefined, headers: undefined }]
]

t.test('returned values become the body, the status and headers', async (t) => {
  for (const [returns, value, facts] of results) {
    const { context } = await run(() => value, { spec: { returns } })
    t.match(context, facts, JSON.stringify([returns, value]))
  }
})

t.test('records come as instances where hooks look at the result', async (t) => {
  const operation = compileMethod(model, 'lend', {})
  const hooks = new RemoteHooks()
  t.equal(compileOperation(operation, [], hooks).wantsInstances, false)
  hooks.add('after', 'Book.lend', () => {})
  t.equal(compileOperation(operation, [], hooks).wantsInstances, true)
})
