import { ApiError } from '../errors.ts'
import type { Awaitable } from '../values/awaitable.ts'

/** The result of `work`, or `refused` where it throws an error that refuses the client. Other errors are rethrown. */
export async function unlessRefused<T, Refused>(work: () => Awaitable<T>, refused: Refused): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return refused
    throw error
  }
}
