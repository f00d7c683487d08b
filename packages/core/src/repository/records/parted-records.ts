import { AsyncLocalStorage } from 'node:async_hooks'
import type { Records } from './records.ts'

/**
 * The records of a long list for a response, which are read part by part, each when it is asked for. They are iterated once,
 * or closed: they may hold a cursor of the database. The first parts have been read already.
 */
export class PartedRecords implements AsyncIterable<Records> {
  readonly #read: Records[]
  readonly #parts: AsyncGenerator<Records>
  /** The caller's asynchronous context, which observers may look at. */
  readonly #inContext = AsyncLocalStorage.snapshot()

  constructor(read: readonly Records[], parts: AsyncGenerator<Records>) {
    this.#read = [...read]
    this.#parts = parts
  }

  [Symbol.asyncIterator](): AsyncIterator<Records> {
    return {
      next: async () => {
        const value = this.#read.shift()
        return value === undefined ? this.#inContext(() => this.#parts.next()) : { value, done: false }
      },
      return: async () => {
        await this.close()
        return { value: undefined, done: true }
      }
    }
  }

  /** Reads no further: what fails then concerns nobody. */
  async close(): Promise<void> {
    this.#read.length = 0
    await Promise.allSettled([this.#parts.return(undefined)])
  }
}
