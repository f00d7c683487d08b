import t from 'tap'
import type { Operation } from '@modelwire/core/plugin'
import { createCallMethod } from '#src/members/model/call-method.ts'

type Done = (error?: unknown, ...results: unknown[]) => void
type Call = (
  method: (...args: never[]) => unknown,
  self: unknown,
  args: readonly unknown[],
  operation: Operation
) => Promise<unknown>

const returning = (count: number): Operation =>
  ({ name: 'work', returns: Array.from({ length: count }) }) as unknown as Operation

function makeCall(): { call: Call; warnings: string[] } {
  const warnings: string[] = []
  const call = createCallMethod({ warn: (message) => warnings.push(message) })
  return { call: call as unknown as Call, warnings }
}

const two = (done: Done): void => done(null, 'a', 'b')
const twice = (done: Done): void => {
  done(null, 1)
  done(null, 2)
}

void t.test('gives one value, or a list where the method returns several', async (t) => {
  const { call } = makeCall()
  t.strictSame(await call(two, {}, [], returning(2)), ['a', 'b'])
  t.equal(await call(two, {}, [], returning(1)), 'a')
  t.equal(await call(two, {}, [], returning(0)), 'a')
  t.strictSame(
    await call((done: Done) => done(null, ['x', 'y']), {}, [], returning(2)),
    [['x', 'y']],
    'a list is the first value'
  )
  t.strictSame(await call(async () => ['x', 'y'], {}, [], returning(2)), ['x', 'y'], 'a promise gives all of them')
})

void t.test('warns of a second answer, naming model and method', async (t) => {
  const { call, warnings } = makeCall()
  t.equal(
    await call(
      twice,
      Object.assign(() => {}, { modelName: 'Book' }),
      [],
      returning(1)
    ),
    1
  )
  t.match(warnings, [/Book\.work/])
})
