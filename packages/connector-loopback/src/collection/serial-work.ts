import { AsyncLocalStorage } from 'node:async_hooks'
import { limitCall } from '../juggler/call-limit.ts'

/** A queue of work that looks at records before it changes them. */
export interface SerialWork {
  /** Runs work after all that was given before it, one after the other. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>
  /**
   * Waits for a call. Within work of the queue the wait is limited, since others wait for the work.
   * @throws {ConnectorTimeout} the connector did not call back
   */
  readonly limit: <Result>(call: Promise<Result>) => Promise<Result>
}

/** Makes a queue of its own. @param milliseconds for each call of its work */
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
