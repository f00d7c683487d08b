import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { toCallbackHook, type HookFailure, type HookWork } from '#src/requests/hooks.ts'

/** What a hook tells Fastify, and whether it did so at once. */
async function run(work: HookWork, fail?: HookFailure): Promise<readonly [unknown, 'at once' | 'later']> {
  let told: { readonly error: unknown } | undefined
  const request = {} as FastifyRequest
  const finished = new Promise<void>((resolve) => {
    toCallbackHook(work, fail)(request, {} as FastifyReply, (error) => {
      told = { error }
      resolve()
    })
  })
  const when = told === undefined ? 'later' : 'at once'
  await finished
  return [told?.error, when]
}

const failure = new Error('no')
const refuse = (): never => {
  throw failure
}

t.test('work without anything to wait for is done at once', async (t) => {
  t.strictSame(await run(() => {}), [undefined, 'at once'])
  t.strictSame(await run(refuse), [failure, 'at once'])
})

t.test('a promise is waited for', async (t) => {
  t.strictSame(await run(async () => {}), [undefined, 'later'])
  t.strictSame(await run(async () => refuse()), [failure, 'later'])
})

t.test('failures can be handled by somebody else', async (t) => {
  const seen: unknown[] = []
  const note: HookFailure = (error, _request, _reply, done) => {
    seen.push(error)
    done()
  }
  t.strictSame(
    [await run(refuse, note), await run(async () => refuse(), note)],
    [
      [undefined, 'at once'],
      [undefined, 'later']
    ]
  )
  t.strictSame(seen, [failure, failure])
})

t.test('a failure without an error is one all the same', async (t) => {
  for (const thrown of [undefined, null, false, 0, ''])
    for (const work of [async () => Promise.reject(thrown), () => throwThis(thrown)])
      t.match((await run(work))[0], TypeError, String(thrown))
})

function throwThis(thrown: unknown): never {
  throw thrown
}
