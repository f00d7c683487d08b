import { createDeferred } from './deferred.ts'

/** Runs one task after the other, in order, and returns what each returns. */
export type WorkQueue = <Result>(task: () => Promise<Result> | Result) => Promise<Result>

/** Makes a queue. A task that fails does not keep the next one from running. */
export function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve()
  return async (task) => {
    const before = last
    const { promise, resolve } = createDeferred()
    last = promise
    await before
    try {
      return await task()
    } finally {
      resolve()
    }
  }
}
