import { ApiError } from '../errors.ts'
import type { Awaitable } from '../values/awaitable.ts'

/** What `work` gives, or `refused` where it throws what a client is refused with. Whatever else goes wrong is told. */
export async function unlessRefused<T, Refused>(work: () => Awaitable<T>, refused: Refused): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return refused
    throw error
  }
}
