/** Runs a task as soon as one of the places is free. */
export type RunLimited = <Value>(task: () => Promise<Value>) => Promise<Value>

/** Makes a queue that works on at most `places` tasks at once. */
export function limitParallel(places: number): RunLimited {
  const waiting: (() => void)[] = []
  let running = 0
  const enter = async (): Promise<void> => {
    if (running >= places) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
  }
  const leave = (): void => {
    // A place that is passed on stays taken.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
  return async (task) => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
