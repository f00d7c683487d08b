/** Does works about one key one after the other. */
export type TakeTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Waits until something is over, whatever became of it. */
async function untilOver(work: Promise<unknown> | undefined): Promise<void> {
  if (work !== undefined) await Promise.allSettled([work])
}

/** Makes the function that does works about one key one after the other. */
export function makeTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const takeTurn = async (before: Promise<unknown> | undefined) => {
      await untilOver(before)
      return work()
    }
    const turn = takeTurn(last.get(key))
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
