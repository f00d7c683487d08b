import { withResolvers } from '../application/with-resolvers.ts'

/** Waits for `work`; fails where the process has nothing left to do, so that it could never end. */
export async function failWhenIdle(work: Promise<void>, makeError: () => Error): Promise<void> {
  const { promise: idle, reject } = withResolvers()
  const fail = (): void => reject(makeError())
  process.once('beforeExit', fail)
  try {
    await Promise.race([work, idle])
  } finally {
    process.off('beforeExit', fail)
  }
}
