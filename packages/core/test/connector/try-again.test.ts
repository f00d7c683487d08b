import t from 'tap'
import { attempts, tryAgain } from '#src/connector/run-transaction.ts'

void t.test('work is tried until it succeeds, and told which attempt it is', async (t) => {
  const result = await tryAgain(
    async (attempt) => {
      if (attempt < 3) throw new Error('busy')
      return attempt
    },
    () => true
  )
  t.equal(result, 3)
})

void t.test('another error ends it at once', async (t) => {
  let count = 0
  const work = async (): Promise<void> => {
    count++
    throw new Error('wrong')
  }
  await t.rejects(
    tryAgain(work, () => false),
    { message: 'wrong' }
  )
  t.equal(count, 1)
})

void t.test('it is not tried for ever', async (t) => {
  let count = 0
  const work = async (): Promise<void> => {
    count++
    throw new Error('busy')
  }
  await t.rejects(
    tryAgain(work, () => true),
    { message: 'busy' }
  )
  t.equal(count, attempts)
})
