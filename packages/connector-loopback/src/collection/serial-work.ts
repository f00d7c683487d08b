import { AsyncLocalStorage } from 'node:async_hooks'
import { limitCall } from '../juggler/driver.ts'

/** A queue of work that reads records before it changes them. */
export interface SerialWork {
  /** Runs work after all previously queued work. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>
  /**
   * Waits for a call. Within queued work the wait is limited, since other work waits for it.
   * @throws {ConnectorTimeout} the connector did not call back
   */
  readonly limit: <Result>(call: Promise<Result>) => Promise<Result>
}

/**
 * Makes a queue.
 * @param milliseconds for each call of its work
 */
export function createSerialWork(milliseconds: number): SerialWork {
  const running = new AsyncLocalStorage<true>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    run: async (work) => {
      const next = follow(last, () => running.run(true, work))
      last = next
      return next
    },
    limit: async (call) => (running.getStore() === true ? limitCall(call, milliseconds) : call)
  }
}

async function follow<Result>(before: Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  // What came of the work before is its caller's.
  await Promise.allSettled([before])
  return work()
}
