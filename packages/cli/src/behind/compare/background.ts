/** Work in the background: so much at once, so much waiting, and no more. */
export interface Background {
  /** False when too much waits already: the work is not done. */
  readonly start: (work: () => Promise<void>) => boolean
  readonly hasRoom: () => boolean
  /** Resolves when nothing is left to do; what has not begun by then is dropped. */
  readonly close: () => Promise<void>
}

/**
 * @param most pieces of work at once
 * @param waiting pieces that may wait
 */
export function makeBackground(most: number, waiting: number): Background {
  const queue: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  let isClosed = false
  const run = async (first: () => Promise<void>): Promise<void> => {
    for (let next: (() => Promise<void>) | undefined = first; next !== undefined; next = queue.shift()) await next()
  }
  const begin = async (work: () => Promise<void>): Promise<void> => {
    const done = run(work)
    running.add(done)
    await done
    running.delete(done)
  }
  const hasRoom = (): boolean => !isClosed && (running.size < most || queue.length < waiting)
  return {
    hasRoom,
    start: (work) => {
      if (!hasRoom()) return false
      if (running.size < most) void begin(work)
      else queue.push(work)
      return true
    },
    close: async () => {
      isClosed = true
      queue.length = 0
      await Promise.all(running)
    }
  }
}
