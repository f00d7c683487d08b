/** Work that is done again and again. */
export interface Loop {
  /** There may be something to do. */
  readonly wake: () => void
  /** Resolves when the round that runs is over; no other one begins. */
  readonly stop: () => Promise<void>
}

/** How a loop runs. */
export interface LoopOptions {
  /** Seconds that it pauses at most. */
  readonly interval: number
  /** Called with what a round fails with; the loop goes on. */
  readonly onError: (error: unknown) => void
}

/** Runs `round` at once, after each pause, and when it is woken; without a pause while it says that there is more. */
export function startLoop(round: () => Promise<boolean>, { interval, onError }: LoopOptions): Loop {
  const state = { isWoken: false, isStopped: false, endPause: () => {} }
  const pause = async (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, interval * 1000)
      state.endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const attempt = async (): Promise<boolean> => {
    try {
      return await round()
    } catch (error) {
      onError(error)
      return false
    }
  }
  const run = async (): Promise<void> => {
    while (!state.isStopped) {
      state.isWoken = false
      const hasMore = await attempt()
      if (!hasMore && !state.isWoken && !state.isStopped) await pause()
    }
  }
  const running = run()
  const wake = (): void => {
    state.isWoken = true
    state.endPause()
  }
  return {
    wake,
    stop: async () => {
      state.isStopped = true
      wake()
      await running
    }
  }
}
