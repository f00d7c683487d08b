import t from 'tap'
import { asList } from '#src/operators/operand.ts'

const lists: readonly (readonly [value: unknown, list: readonly unknown[] | undefined])[] = [
  [
    [1, 2],
    [1, 2]
  ],
  [[], []],
  [{ 0: 'a', 1: 'b' }, ['a', 'b']],
  [{ 5: 'a' }, ['a']],
  [{}, undefined],
  [{ 0: 'a', x: 1 }, undefined],
  [{ a: 1 }, undefined],
  ['ab', undefined],
  [null, undefined],
  [undefined, undefined],
  [5, undefined]
]

t.test('lists and objects with counting keys are lists', async (t) => {
  for (const [value, list] of lists) t.strictSame(asList(value), list, JSON.stringify(value))
})
