import type { Cells, Decide } from './cells.ts'
import type { Hits } from './shared-store.ts'

/** Milliseconds that a store which failed is left alone: each attempt to reach it may take long. */
const pause = 1000

/** Called when the store fails for the first time, and when it works again. */
export interface TroubleListener {
  readonly fails: (error: unknown) => void
  readonly works: () => void
}

/** Cells that count in this process alone as long as the shared ones fail: what limits attempts is never without a limit. */
export function fallingBack(shared: Cells, local: Cells, listener: TroubleListener): Cells {
  let failedAt: number | undefined
  const isLeftAlone = (): boolean => failedAt !== undefined && performance.now() - failedAt < pause
  const reach = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    const result = await work()
    if (failedAt !== undefined) listener.works()
    failedAt = undefined
    return result
  }
  const either = async <Result>(one: () => Promise<Result> | Result, other: () => Promise<Result> | Result) => {
    if (isLeftAlone()) return other()
    try {
      return await reach(one)
    } catch (error) {
      if (failedAt === undefined) listener.fails(error)
      failedAt = performance.now()
      return other()
    }
  }
  return {
    change: <Value, Result>(key: string, decide: Decide<Value, Result>): Promise<Result> =>
      either<Result>(
        () => shared.change(key, decide),
        () => local.change(key, decide)
      ),
    count: (key, window) =>
      either<Hits>(
        () => shared.count(key, window),
        () => local.count(key, window)
      )
  }
}
