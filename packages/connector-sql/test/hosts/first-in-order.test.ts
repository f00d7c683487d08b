import { firstInOrder } from '#src/hosts/find-host.ts'
import t from 'tap'

const fails = (text: string) => async (): Promise<never> => {
  throw new Error(text)
}
const never = (): Promise<never> => new Promise(() => {})

void t.test('the first attempt that succeeds counts, and later ones are not made', async (t) => {
  const made: number[] = []
  const succeeds = (at: number) => async (): Promise<void> => void made.push(at)
  t.equal(await firstInOrder([fails('a'), succeeds(1), succeeds(2)]), 1)
  t.same(made, [1])
})

void t.test('one that takes long does not keep the next one waiting', async (t) => {
  t.equal(await firstInOrder([never, never, async () => {}]), 2)
})

void t.test('when all fail, their errors are in the order of the attempts', async (t) => {
  try {
    await firstInOrder([fails('a'), fails('b')])
    t.fail('it does not resolve')
  } catch (error) {
    t.ok(error instanceof AggregateError)
    if (error instanceof AggregateError) t.same(error.errors.map(String), ['Error: a', 'Error: b'])
  }
})
