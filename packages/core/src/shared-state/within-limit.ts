import { SharedStateUnavailable } from './errors.ts'

/**
 * Waits for an answer of the store, but not for long: who tries to log in waits for it.
 * @param limit milliseconds
 * @throws {SharedStateUnavailable} there is none in time, or it is an error
 */
export async function withinLimit<Result>(work: () => Promise<Result>, limit: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new SharedStateUnavailable(`the shared state did not answer within ${limit} ms`)),
      limit
    )
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    if (error instanceof SharedStateUnavailable) throw error
    throw new SharedStateUnavailable('the shared state cannot be reached', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
