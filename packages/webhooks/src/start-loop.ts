/** A repeated task. */
export interface Loop {
  /** Notifies that there may be something to do. */
  readonly wake: () => void
  /** Resolves once the running round is over; no further one starts. */
  readonly stop: () => Promise<void>
}

/** How a loop runs. */
export interface LoopOptions {
  /** Maximum pause in seconds. */
  readonly interval: number
  /** Called with the error of a failed round, once for consecutive rounds with the same error; the loop continues. */
  readonly onError: (error: unknown) => void
  /** Called when a round succeeds after one that failed. */
  readonly onRecovered: () => void
}

type Round = () => Promise<boolean>

/** Makes the function that carries out a round, and is false for one that fails. */
function makeAttempt(round: Round, { onError, onRecovered }: LoopOptions): Round {
  let failure: string | undefined
  return async () => {
    try {
      const hasMore = await round()
      if (failure !== undefined) onRecovered()
      failure = undefined
      return hasMore
    } catch (error) {
      if (failure !== String(error)) onError(error)
      failure = String(error)
      return false
    }
  }
}

/** Runs `round` at once, after each pause, and when it is woken; without a pause while it reports that there is more. */
export function startLoop(round: Round, options: LoopOptions): Loop {
  const state = { isWoken: false, isStopped: false, endPause: () => {} }
  const pause = async (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, options.interval * 1000)
      state.endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const attempt = makeAttempt(round, options)
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
