/** Runs work after all that was given before it, one after the other. */
export type RunSerially = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes a queue of its own. */
export function createSerialWork(): RunSerially {
  let last: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const before = last
    const next = follow(before, work)
    last = next
    return next
  }
}

async function follow<Result>(before: Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  // What came of the work before is its caller's.
  await Promise.allSettled([before])
  return work()
}
