/** Milliseconds that an attempt has for itself before the next one is made beside it. */
const headStartMs = 500

/**
 * The place of the attempt that succeeds first. Each begins when the one before it has failed, or takes long: a host that
 * is silent does not keep the others waiting.
 * @throws {AggregateError} all of them failed: with their errors, in the order of the attempts
 */
export async function firstInOrder(attempts: readonly (() => Promise<unknown>)[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const failures: unknown[] = []
    let [begun, failed] = [0, 0]
    let timer: NodeJS.Timeout | undefined
    const fail = (at: number, error: unknown): void => {
      failures[at] = error
      failed++
      if (failed === attempts.length) reject(new AggregateError(failures))
      else begin()
    }
    const run = async (attempt: () => Promise<unknown>, at: number): Promise<void> => {
      try {
        await attempt()
        clearTimeout(timer)
        begun = attempts.length
        resolve(at)
      } catch (error) {
        fail(at, error)
      }
    }
    const begin = (): void => {
      clearTimeout(timer)
      const at = begun++
      const attempt = attempts[at]
      if (attempt === undefined) return
      timer = setTimeout(begin, headStartMs)
      void run(attempt, at)
    }
    begin()
  })
}
