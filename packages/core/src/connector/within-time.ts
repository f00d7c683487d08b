import { TransactionTimeout } from './errors.ts'

/** Calls `work`, and rejects when it is not done in so many milliseconds. What it has begun goes on. @throws {TransactionTimeout} */
export async function withinTime<Result>(work: () => Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const error = new TransactionTimeout('the transaction took longer than its timeout, and is rolled back')
    timer = setTimeout(reject, Math.max(0, milliseconds), error)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
